"""Does the server survive misbehaving clients? Mixed requests on loopback, good and bad ones at the same time.

    python benchmarks/misbehaving.py [--requests 100000] [--seed 1]

Good requests must get the right answer, or 503 with Retry-After. Most of them use connections that stay open. Bad ones
may get an answer below 500, 503, or none. At the end the server must answer as before, and its memory must not have
grown.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from random import Random

import common
import gardenpath as gp
from memory import usage
from serving import LENGTH, server

TEXT = "The old man saw a boat. It didn't sink."
SECONDS = 60             # until a good request must be answered
MARKS = 10               # measurements of memory
KEPT = 0.9               # share of the good requests whose connections stay open
IDLE = 2                 # seconds after which a connection is not used again; the server closes it after five
Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Good = tuple[str, bytes, Callable[[dict], bool]]         # kind, request, whether the answer is right


def post(path: str, body: bytes, kind: str = "application/json", length: int | None = None, host: str = "localhost",
         connection: str = "close") -> bytes:
    """Return a request."""
    size = len(body) if length is None else length
    head = f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: {kind}\r\nContent-Length: {size}\r\n"
    return f"{head}Connection: {connection}\r\n\r\n".encode() + body


def json_post(path: str, connection: str = "close", **fields: object) -> bytes:
    """Return a request with a JSON body."""
    return post(path, json.dumps(fields).encode(), connection=connection)


class Clients:
    """Clients of a server, and what became of their requests."""

    def __init__(self, port: int, process: int, seed: int) -> None:
        self.port, self.process, self.rng = port, process, Random(seed)
        self.counts = Counter[str]()
        self.wrong: list[str] = []
        self.memory: list[float] = []
        document = gp.load("en-fast")(TEXT)
        self.conllu, self.sentence = document.to_conllu(), document[0].to_conllu()
        self.good_requests = {kind: self._good_requests(kind) for kind in ("keep-alive", "close")}
        self.open: list[tuple[float, Stream]] = []       # connections for further requests, with the time of the last
        self.bad: dict[str, Callable[[Stream], Awaitable[None]]] = {
            "half a request": self._half, "wrong length": self._wrong_length, "noise": self._noise,
            "long headers": self._long_headers, "unread answer": self._unread, "reset": self._reset,
            "bad body": self._bad_body, "other host": self._other_host, "unknown path": self._unknown_path,
            "many parts": self._many_parts, "slow": self._slow,
        }

    async def run(self, requests: int, at_once: int) -> None:
        """Send all requests, in random order, and a good one at the end."""
        self.left, self.every = requests, max(requests // MARKS, 1)
        await asyncio.gather(*(self._send_many() for _ in range(at_once)))
        await self.good()

    async def _send_many(self) -> None:
        while self.left > 0:
            self.left -= 1
            if self.left % self.every == 0:
                self.memory.append(usage(self.process)["VmRSS"])
                common.say(f"{self.left:,} requests left, {self.memory[-1]:.1f} MB resident, {len(self.wrong)} wrong")
            if self.rng.random() < 0.5:
                await self.good()
            else:
                await self._misbehave(*self.rng.choice(sorted(self.bad.items())))

    async def good(self) -> None:
        """Send a good request and check its answer."""
        is_kept = self.rng.random() < KEPT
        kind, request, check = self.rng.choice(self.good_requests["keep-alive" if is_kept else "close"])
        try:
            status, head, body = await asyncio.wait_for(self._ask(request, is_kept), SECONDS)
        except (OSError, asyncio.IncompleteReadError, TimeoutError) as error:
            self._note(kind, f"no answer: {error!r}")
            return
        if status == 503 and b"retry-after" in head.lower():
            self.counts["503"] += 1
        elif status != 200 or not check(json.loads(body)):
            self._note(kind, f"{status} {body[:200]!r}")
        self.counts[kind] += 1

    def _good_requests(self, keep: str) -> list[Good]:
        return [
            ("parse", json_post("/api/parse", keep, text=TEXT), lambda answer: answer["conllu"] == self.conllu),
            (
                "evaluate", json_post("/api/evaluate", keep, gold=self.conllu, system=self.conllu),
                lambda answer: "100" in json.dumps(answer),
            ),
            ("trace", json_post("/api/trace", keep, conllu=self.sentence), lambda answer: bool(answer["steps"])),
            (
                "process", post("/process", b"tokenizer=&tagger=&parser=&data=A+dog+barked.",
                                "application/x-www-form-urlencoded", connection=keep),
                lambda answer: "barked" in answer["result"],
            ),
        ]

    async def _ask(self, request: bytes, is_kept: bool) -> tuple[int, bytes, bytes]:
        reader, writer = await self._stream(is_kept)
        try:
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            found = LENGTH.search(head)
            body = await reader.readexactly(int(found[1])) if found else await reader.read()
        except BaseException:
            writer.close()
            raise
        self.open.append((time.monotonic(), (reader, writer))) if is_kept and found else writer.close()
        return int(head.split()[1]), head, body

    async def _stream(self, is_kept: bool) -> Stream:
        """Return an open connection that was used a short time ago, or a new one."""
        while is_kept and self.open:
            last, stream = self.open.pop()
            if time.monotonic() - last < IDLE:
                return stream
            stream[1].close()
        return await asyncio.open_connection("127.0.0.1", self.port)

    async def _misbehave(self, kind: str, act: Callable[[Stream], Awaitable[None]]) -> None:
        try:
            stream = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError as error:
            self._note(kind, f"no connection: {error!r}")
            return
        try:
            await act(stream)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass                         # the server has closed the connection
        finally:
            stream[1].transport.abort() if self.rng.random() < 0.5 else stream[1].close()
        self.counts[kind] += 1

    async def _answered(self, kind: str, stream: Stream, request: bytes) -> None:
        """Send a bad request and read its answer, which must not be an error of the server."""
        stream[1].write(request)
        head = await stream[0].readuntil(b"\r\n\r\n")
        status = int(head.split()[1])
        if status == 200 or (status >= 500 and status != 503):
            self._note(kind, f"status {status}")

    async def _half(self, stream: Stream) -> None:
        request = self.rng.choice(self.good_requests["close"])[1]
        stream[1].write(request[: self.rng.randrange(len(request))])
        await stream[1].drain()

    async def _wrong_length(self, stream: Stream) -> None:
        stream[1].write(post("/api/parse", b"{}", length=self.rng.choice((0, 1, 5, 10**6, 10**12, -1))))
        await stream[1].drain()

    async def _noise(self, stream: Stream) -> None:
        stream[1].write(self.rng.randbytes(self.rng.randrange(1, 2000)))
        await stream[1].drain()

    async def _long_headers(self, stream: Stream) -> None:
        header = b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X-A: b\r\n" * self.rng.randrange(10_000) + b"\r\n"
        stream[1].write(header)
        await stream[1].drain()

    async def _unread(self, stream: Stream) -> None:
        stream[1].write(json_post("/api/parse", text=TEXT * self.rng.randrange(1, 20)))
        await stream[1].drain()

    async def _reset(self, stream: Stream) -> None:
        await self._unread(stream)
        stream[1].transport.abort()

    async def _bad_body(self, stream: Stream) -> None:
        body = self.rng.choice((b"", b"[]", b"{", b"\xff", b'{"text": 1}', b'{"text": "a", "b": 1}', b"[" * 10_000))
        await self._answered("bad body", stream, post(self.rng.choice(("/api/parse", "/api/trace")), body))

    async def _other_host(self, stream: Stream) -> None:
        await self._answered("other host", stream, post("/api/parse", b'{"text": "a"}', host="example.org"))

    async def _unknown_path(self, stream: Stream) -> None:
        await self._answered("unknown path", stream, post(f"/{self.rng.randbytes(5).hex()}", b"{}"))

    async def _many_parts(self, stream: Stream) -> None:
        body = "&".join(f"a{number}=b" for number in range(self.rng.randrange(2000))).encode()
        stream[1].write(post("/process", body, "application/x-www-form-urlencoded"))
        await stream[1].drain()

    async def _slow(self, stream: Stream) -> None:
        for byte in json_post("/api/parse", text=TEXT)[:20]:
            stream[1].write(bytes([byte]))
            await stream[1].drain()
            await asyncio.sleep(0.01)

    def _note(self, kind: str, text: str) -> None:
        self.wrong.append(f"{kind}: {text}")
        common.say(self.wrong[-1])


def main() -> None:
    """Start a server and let the clients loose on it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--at-once", type=int, default=32, help="number of simultaneous clients")
    parser.add_argument("--seed", type=int, default=1)
    settings = parser.parse_args()
    common.header(
        "Misbehaving clients", "requests made at random, half of them bad",
        f"{settings.requests:,} requests, {settings.at_once} at once, seed {settings.seed}; server with its defaults",
    )
    with server("en-fast") as (port, process):
        clients = Clients(port, process, settings.seed)
        asyncio.run(clients.run(settings.requests, settings.at_once))
    common.table(["requests", "number"], [[kind, f"{count:,}"] for kind, count in sorted(clients.counts.items())])
    print(f"Resident memory in MB: {', '.join(f'{megabytes:.1f}' for megabytes in clients.memory)}")
    print("\n".join(clients.wrong[:20]) or "Nothing went wrong.")
    sys.exit(bool(clients.wrong))


if __name__ == "__main__":
    main()
