"""Compress responses with gzip for clients that accept it."""

from __future__ import annotations

import zlib
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gardenpath.web.work import Workers

WORTH = 1_000            # bytes; smaller responses are not compressed
LONG = 100_000           # bytes; larger parts are compressed in a worker thread
LEVEL = 4                # of zlib: half the time of the default level, a tenth more bytes
TEXTUAL = (b"text/", b"application/json", b"application/conllu", b"image/svg+xml")


class Compression:
    """ASGI middleware that compresses large text responses."""

    def __init__(self, app: ASGIApp, workers: Workers) -> None:
        self.app = app
        self.workers = workers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, and compress the response if the client accepts gzip."""
        if scope["type"] == "http" and _accepts_gzip(scope):
            send = _CompressedResponse(send, self.workers).send
        await self.app(scope, receive, send)


def _accepts_gzip(scope: Scope) -> bool:
    return any(name == b"accept-encoding" and takes_gzip(value) for name, value in scope["headers"])


def takes_gzip(accepted: bytes) -> bool:
    """Return whether this value of Accept-Encoding allows gzip."""
    for part in accepted.lower().split(b","):
        coding, _, quality = part.replace(b" ", b"").partition(b";q=")
        if coding in (b"gzip", b"*"):
            return quality.strip(b"0.") != b"" or not quality
    return False


class _CompressedResponse:
    """A response that may be compressed. Its head is sent after the first body part, whose size decides."""

    def __init__(self, send: Send, workers: Workers) -> None:
        self._send = send
        self._workers = workers
        self._head: Message | None = None
        self._gzip: Any = None

    async def send(self, message: Message) -> None:
        """Send a message of the response."""
        if message["type"] == "http.response.start":
            self._head = message
            return
        body, more = message.get("body", b""), message.get("more_body", False)
        if self._head is not None:
            if more or len(body) >= WORTH:
                self._begin(self._head["headers"])
            first = await self._compressed(body, more)
            if self._gzip is not None and not more:
                self._head["headers"].append((b"content-length", b"%d" % len(first)))
            head, self._head, body = self._head, None, first
            await self._send(head)
        else:
            body = await self._compressed(body, more)
        await self._send({**message, "body": body})

    def _begin(self, headers: list[tuple[bytes, bytes]]) -> None:
        """Start the compression and set the headers, unless the content is not text or is compressed already."""
        kind = next((value for name, value in headers if name == b"content-type"), b"")
        if not kind.startswith(TEXTUAL) or any(name == b"content-encoding" for name, _ in headers):
            return
        self._gzip = zlib.compressobj(LEVEL, wbits=zlib.MAX_WBITS | 16)
        headers[:] = [header for header in headers if header[0] != b"content-length"]
        headers += [(b"content-encoding", b"gzip"), (b"vary", b"accept-encoding")]

    async def _compressed(self, body: bytes, more: bool) -> bytes:
        if self._gzip is None:
            return body
        if len(body) > LONG:
            return await self._workers.run_alone(self._compress, body, more)
        return self._compress(body, more)

    def _compress(self, body: bytes, more: bool) -> bytes:
        return self._gzip.compress(body) + self._gzip.flush(zlib.Z_SYNC_FLUSH if more else zlib.Z_FINISH)
