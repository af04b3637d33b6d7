"""Metrics of the server for Prometheus."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter, defaultdict

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gardenpath import version as package
from gardenpath.web.work import Workers

# Bounds of the histogram, in seconds.
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
OTHER = "other"          # one series for all unknown URLs, so that clients cannot create new series
METHODS = ("GET", "HEAD", "POST", "OPTIONS")
GONE = 499               # the status of requests whose client disconnected


class Metrics:
    """Counts requests by URL, method and status, their duration, and the jobs of the worker threads."""

    def __init__(self, workers: Workers) -> None:
        self.under_way = 0
        self._workers = workers
        self._started = time.time()
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._seconds: dict[str, list[int]] = {}
        self._total: defaultdict[str, float] = defaultdict(float)
        self._rejected: Counter[str] = Counter()

    def count(self, path: str | None, method: str, status: int, seconds: float) -> None:
        """Count a finished request. `path` is the path of its route, if any; `status` may be `GONE`."""
        path = path or OTHER
        self._requests[path, method if method in METHODS else OTHER, status] += 1
        buckets = self._seconds.setdefault(path, [0] * (len(BOUNDS) + 1))
        buckets[bisect_left(BOUNDS, seconds)] += 1
        self._total[path] += seconds

    def reject(self, reason: str) -> None:
        """Count a request that was rejected because of this limit."""
        self._rejected[reason] += 1

    def text(self) -> str:
        """Return all metrics in the text format of Prometheus."""
        info = f'{{version="{package.__version__}"}}'
        requests: list[tuple[str, float]] = [
            (f'{{path="{path}",method="{method}",status="{status}"}}', count)
            for (path, method, status), count in sorted(self._requests.items())
        ]
        rejected: list[tuple[str, float]] = [
            (f'{{limit="{reason}"}}', count) for reason, count in sorted(self._rejected.items())
        ]
        started, workers = round(self._started, 3), self._workers
        return "".join([
            _metric("gardenpath_info", "gauge", "Version of gardenpath.", [(info, 1)]),
            _metric("gardenpath_start_time_seconds", "gauge", "Start time in seconds since 1970.", [("", started)]),
            _metric("gardenpath_requests_total", "counter", "Requests; status 499: client disconnected.", requests),
            _metric("gardenpath_refused_total", "counter", "Rejected requests, by the limit exceeded.", rejected),
            _metric("gardenpath_requests_under_way", "gauge", "Unfinished requests.", [("", self.under_way)]),
            self._histogram(),
            _metric("gardenpath_jobs_waiting", "gauge", "Jobs waiting for a thread.", [("", workers.waiting)]),
            _metric("gardenpath_jobs_total", "counter", "Finished jobs.", [("", workers.jobs)]),
            _metric("gardenpath_batches_total", "counter", "Finished batches of jobs.", [("", workers.batches)]),
        ])

    def _histogram(self) -> str:
        name = "gardenpath_request_seconds"
        meaning = "Duration of requests, from the first byte of the request to the last byte of the response."
        lines = [f"# HELP {name} {meaning}\n# TYPE {name} histogram\n"]
        for path, buckets in sorted(self._seconds.items()):
            total = 0
            for bound, count in zip((*BOUNDS, "+Inf"), buckets, strict=True):
                total += count
                lines.append(f'{name}_bucket{{path="{path}",le="{bound}"}} {total}\n')
            lines.append(f'{name}_sum{{path="{path}"}} {self._total[path]:.6f}\n')
            lines.append(f'{name}_count{{path="{path}"}} {total}\n')
        return "".join(lines)


def _metric(name: str, kind: str, meaning: str, values: list[tuple[str, float]]) -> str:
    samples = "".join(f"{name}{labels} {value}\n" for labels, value in values)
    return f"# HELP {name} {meaning}\n# TYPE {name} {kind}\n{samples}"


def routes(metrics: Metrics) -> list[Route]:
    """Return the route GET /metrics."""

    async def show(_: Request) -> Response:
        return Response(metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    return [Route("/metrics", show)]
