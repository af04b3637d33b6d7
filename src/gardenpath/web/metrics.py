"""What the server counts, for Prometheus."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter, defaultdict

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import gardenpath
from gardenpath.web.work import Workers

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)      # of the histogram, in seconds
OTHER = "other"          # all URLs that nothing answers at: clients must not be able to make new series
METHODS = ("GET", "HEAD", "POST", "OPTIONS")
GONE = 499               # the status of requests whose client went away


class Metrics:
    """Counts of requests by URL, method and status, how long they took, and what the threads did."""

    def __init__(self, workers: Workers) -> None:
        self.under_way = 0
        self._workers = workers
        self._started = time.time()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._seconds: dict[str, list[int]] = {}
        self._total: defaultdict[str, float] = defaultdict(float)
        self._refused: Counter[str] = Counter()

    def count(self, path: str | None, method: str, status: int, seconds: float) -> None:
        """A request has been answered, or has come to nothing (`GONE`); the path is that of its route, if it has one."""
        path = path or OTHER
        self._requests[path, method if method in METHODS else OTHER, status] += 1
        buckets = self._seconds.setdefault(path, [0] * (len(BOUNDS) + 1))
        buckets[bisect_left(BOUNDS, seconds)] += 1
        self._total[path] += seconds

    def refuse(self, reason: str) -> None:
        """A request was turned away for this limit."""
        self._refused[reason] += 1

    def text(self) -> str:
        """Everything in the text format of Prometheus."""
        parts = [
            _metric("gardenpath_info", "gauge", "The version.", [(f'{{version="{gardenpath.__version__}"}}', 1)]),
            _metric("gardenpath_start_time_seconds", "gauge", "When the server started, in seconds since 1970.", [("", round(self._started, 3))]),
            _metric(
                "gardenpath_requests_total", "counter", "Requests answered; status 499: the client went away before.",
                [(f'{{path="{path}",method="{method}",status="{status}"}}', count) for (path, method, status), count in sorted(self._requests.items())],
            ),
            _metric(
                "gardenpath_refused_total", "counter", "Requests turned away, by the limit that they met.",
                [(f'{{limit="{reason}"}}', count) for reason, count in sorted(self._refused.items())],
            ),
            _metric("gardenpath_requests_under_way", "gauge", "Requests that have begun and not ended.", [("", self.under_way)]),
            self._histogram(),
            _metric("gardenpath_jobs_waiting", "gauge", "Jobs that wait for a thread.", [("", self._workers.waiting)]),
            _metric("gardenpath_jobs_total", "counter", "Jobs that threads have done.", [("", self._workers.jobs)]),
            _metric("gardenpath_batches_total", "counter", "Batches that they were done in.", [("", self._workers.batches)]),
        ]
        return "".join(parts)

    def _histogram(self) -> str:
        name = "gardenpath_request_seconds"
        lines = [f"# HELP {name} How long requests took, from their first byte to the last of the answer.\n# TYPE {name} histogram\n"]
        for path, buckets in sorted(self._seconds.items()):
            total = 0
            for bound, count in zip((*BOUNDS, "+Inf"), buckets, strict=True):
                total += count
                lines.append(f'{name}_bucket{{path="{path}",le="{bound}"}} {total}\n')
            lines.append(f'{name}_sum{{path="{path}"}} {self._total[path]:.6f}\n{name}_count{{path="{path}"}} {total}\n')
        return "".join(lines)


def _metric(name: str, kind: str, meaning: str, values: list[tuple[str, float]]) -> str:
    return f"# HELP {name} {meaning}\n# TYPE {name} {kind}\n" + "".join(f"{name}{labels} {value}\n" for labels, value in values)


def routes(metrics: Metrics) -> list[Route]:
    """GET /metrics."""

    async def show(_: Request) -> Response:
        return Response(metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    return [Route("/metrics", show)]
