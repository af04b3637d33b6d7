"""How many one-sentence requests per second does the server handle, and are all responses correct?"""

import argparse
import asyncio
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count, islice
from pathlib import Path
from statistics import quantiles
from urllib.parse import urlencode

import common
import gardenpath as gp
from gardenpath.segmentation.raw import sentence_text
from memory import usage
from peers import UDPIPE_PIPELINE, UdpipePipeline

MARK = 10_000                # requests between two measurements of memory
CALLS = 2_000                # maximum number of calls in process
COLUMNS = ["what", "requests/s", "p50 ms", "p90 ms", "p99 ms", "max ms", "not answered", "wrong"]
LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)


def main() -> None:
    """Measure the server and calls in one process."""
    settings = _settings()
    texts = _texts(settings.texts)
    model = gp.load(settings.model)
    common.header(
        "One-sentence requests",
        f"{len(texts):,} sentences of {settings.texts.name}, repeated; {settings.requests:,} requests of each kind, "
        f"{settings.at_once} at once",
        f"server: `gardenpath serve {settings.model}` with its defaults; the client is another process on the same "
        "machine",
        "process: UDPipe's /process with tokenizer, tagger and parser, a form to JSON; parse: /api/parse, JSON to "
        "JSON with all words",
        "each kind with persistent connections and (-new) with one connection per request; every response is checked",
        f"in process: text to CoNLL-U in one thread, one sentence per call, at most {CALLS:,} calls",
        packages=("fastapi", "starlette", "uvicorn", "httptools", "uvloop", "ufal.udpipe"),
    )
    expected = [model(text).to_conllu() for text in texts]
    with server(settings.model) as (port, process):
        races = [Race(kind, texts, expected, port, process) for kind in settings.kinds]
        rows = [race.run(settings.requests, settings.at_once) for race in races]
    calls = min(CALLS, settings.requests)
    rows.append(_in_process("gardenpath in process", lambda text: model(text).to_conllu(), texts, calls))
    rows += _peer(settings.peers, texts, calls)
    common.table(COLUMNS, rows)
    common.table(["resident memory of the server, MB", *settings.kinds], _memory_rows(races))
    if any(race.missing or race.wrong for race in races):
        sys.exit("Some requests were lost or had wrong responses.")


def _settings() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument(
        "--texts",
        type=Path,
        default=common.SAMPLE / "sample-train.conllu",
        help="input: CoNLL-U, or one sentence per line",
    )
    parser.add_argument("--model", default="en", help="name of a shipped model, or a file")
    parser.add_argument("--requests", type=int, default=2_000, help="number of requests of each kind")
    parser.add_argument("--at-once", type=int, default=64, help="number of simultaneous requests")
    parser.add_argument(
        "--kinds", nargs="+", default=["process", "process-new", "parse", "parse-new"], help="kinds of requests"
    )
    parser.add_argument(
        "--peers", type=Path, default=common.PEERS, help="a folder with UDPipe's models for English-EWT"
    )
    return parser.parse_args()


def _texts(path: Path) -> list[str]:
    if path.suffix == ".conllu":
        return [sentence_text(sentence) for sentence in gp.read_conllu(path)]
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


@contextmanager
def server(model: str) -> Iterator[tuple[int, int]]:
    """Start a server; return its port and process id."""
    process = subprocess.Popen(
        [sys.executable, "-m", "gardenpath", "serve", model, "--port", "0"], stderr=subprocess.PIPE, text=True
    )
    try:
        line = process.stderr.readline()
        found = re.search(r":(\d+) ", line)
        if not found:
            sys.exit(f"The server did not start: {line}{process.stderr.read()}")
        yield int(found[1]), process.pid
    finally:
        process.terminate()
        process.wait()


class Race:
    """Simultaneous requests of one kind, with their latencies and errors."""

    def __init__(self, kind: str, texts: list[str], expected: list[str], port: int, process: int) -> None:
        self.kind, self.port, self.process = kind, port, process
        self.keeps = not kind.endswith("-new")
        self.messages = [self._message(text) for text in texts]
        self.expected = expected
        self.latencies: list[float] = []
        self.memory: list[float] = []
        self.missing = self.wrong = 0

    def run(self, requests: int, at_once: int) -> list[str]:
        """Send all requests and return the results."""
        asyncio.run(self._go(min(200, requests), at_once))       # warm-up
        self.latencies, self.missing, self.wrong, self.memory = [], 0, 0, [self._resident()]
        seconds = common.seconds(lambda: asyncio.run(self._go(requests, at_once)))
        self.missing = requests - len(self.latencies)
        self.memory.append(self._resident())
        return [
            self.kind,
            f"{requests / seconds:,.0f}",
            *_percentiles(self.latencies),
            str(self.missing),
            str(self.wrong),
        ]

    async def _go(self, requests: int, at_once: int) -> None:
        self.numbers = islice(count(), requests)
        await asyncio.gather(*(self._send_many() for _ in range(at_once)))

    async def _send_many(self) -> None:
        """Send requests one after the other until none is left."""
        reader = writer = None
        for number in self.numbers:
            begin = time.perf_counter()
            if writer is None:
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            writer.write(self.messages[number % len(self.messages)])
            head = await reader.readuntil(b"\r\n\r\n")
            body = await reader.readexactly(int(LENGTH.search(head)[1]))
            self.latencies.append(time.perf_counter() - begin)
            self._check(number, head, body)
            if not self.keeps:
                writer.close()
                writer = None
            if len(self.latencies) % MARK == 0:
                self.memory.append(self._resident())
                common.say(f"{self.kind}: {len(self.latencies):,} requests, {self.memory[-1]:.1f} MB resident")
        if writer is not None:
            writer.close()

    def _message(self, text: str) -> bytes:
        if self.kind.startswith("process"):
            path, kind, body = (
                "/process",
                "application/x-www-form-urlencoded",
                urlencode({"tokenizer": "", "tagger": "", "parser": "", "data": text}),
            )
        else:
            path, kind, body = "/api/parse", "application/json", json.dumps({"text": text})
        connection = "keep-alive" if self.keeps else "close"
        headers = [
            f"POST {path} HTTP/1.1",
            "Host: localhost",
            f"Connection: {connection}",
            f"Content-Type: {kind}",
            f"Content-Length: {len(body)}",
        ]
        return "\r\n".join([*headers, "", body]).encode()

    def _check(self, number: int, head: bytes, body: bytes) -> None:
        answer = json.loads(body) if head.startswith(b"HTTP/1.1 200 ") else {}
        got = answer.get("result" if self.kind.startswith("process") else "conllu", "")
        self.wrong += got[got.find("# newdoc") :] != self.expected[number % len(self.expected)]

    def _resident(self) -> float:
        return usage(self.process)["VmRSS"]


def _in_process(name: str, parse: Callable[[str], object], texts: list[str], calls: int) -> list[str]:
    latencies = []
    for number in range(calls):
        begin = time.perf_counter()
        parse(texts[number % len(texts)])
        latencies.append(time.perf_counter() - begin)
    return [name, f"{calls / sum(latencies):,.0f}", *_percentiles(latencies), "", ""]


def _peer(folder: Path, texts: list[str], calls: int) -> list[list[str]]:
    paths = [folder / name for name in UDPIPE_PIPELINE]
    if not all(path.exists() for path in paths):
        common.say(f"skipped UDPipe: {folder} has no {', '.join(UDPIPE_PIPELINE)}")
        return []
    return [_in_process("UDPipe 1 in process", UdpipePipeline(paths).conllu, texts, calls)]


def _percentiles(latencies: list[float]) -> list[str]:
    cuts = quantiles(latencies, n=100)
    return [f"{1000 * value:.2f}" for value in (cuts[49], cuts[89], cuts[98], max(latencies))]


def _memory_rows(races: list[Race]) -> list[list[str]]:
    names = ["before", *(f"after {MARK * mark:,}" for mark in range(1, len(races[0].memory) - 1)), "after all"]
    return [[name, *(f"{race.memory[row]:.1f}" for race in races)] for row, name in enumerate(names)]


if __name__ == "__main__":
    main()
