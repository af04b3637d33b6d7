"""HTTP connections that cannot be held on to: uvicorn's protocols, with a limit on the time and size of a request's head and on an answer nobody reads."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD = 1 << 16           # bytes that the head of a request may have
READ = 1 << 16           # bytes of its answer that a client has to take within the time for a request
TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class Bounded(asyncio.Protocol):
    """What is added to a protocol of uvicorn: a timer for the head, and one for the answer."""

    seconds: float           # the time for a request; set for the server in `protocol_class`
    transport: asyncio.Transport
    cycle: Any
    loop: asyncio.AbstractEventLoop
    _answered: Any = None
    _head: asyncio.TimerHandle | None = None
    _head_size = 0
    _writing: asyncio.TimerHandle | None = None
    _unread = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client is there: it has to say what it wants."""
        super().connection_made(transport)
        self._expect_head()

    def data_received(self, data: bytes) -> None:
        """Something came; if it does not complete the head of a request, the rest has to come in time."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._head_size = 0
            self._stop_head()
            return
        self._head_size += len(data)
        if self._head_size > HEAD and not self.transport.is_closing():
            self.transport.write(TOO_LARGE)
            self.transport.close()
            self._expect_reading()
        elif self._head is None:
            self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone, also for the request that is being answered while others wait behind it on the same connection."""
        if self._answered is not None and not self._answered.response_complete:
            self._answered.disconnected = True
            self._answered.message_event.set()
        super().connection_lost(exc)
        self._stop_head()
        self._stop_writing()

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self._answered = cycle
        super()._start_asgi_task(cycle, app)     # type: ignore[misc]

    def pause_writing(self) -> None:
        """The client does not read as fast as the answer is written."""
        super().pause_writing()
        self._expect_reading()

    def resume_writing(self) -> None:
        """It has read most of it."""
        super().resume_writing()
        self._stop_writing()

    def on_response_complete(self) -> None:
        """The answer is written; if the connection is to be closed, the client has to read the rest in time."""
        super().on_response_complete()           # type: ignore[misc]
        if self.transport.is_closing():
            self._expect_reading()

    def timeout_keep_alive_handler(self) -> None:
        """Nothing came after the last answer."""
        super().timeout_keep_alive_handler()     # type: ignore[misc]
        self._expect_reading()

    def _expect_head(self) -> None:
        self._head = self.loop.call_later(self.seconds, self.transport.abort)

    def _stop_head(self) -> None:
        if self._head is not None:
            self._head.cancel()
            self._head = None

    def _expect_reading(self) -> None:
        if self._writing is None:
            self._unread = self.transport.get_write_buffer_size()
            self._writing = self.loop.call_later(self.seconds, self._look_at_reading)

    def _look_at_reading(self) -> None:
        """Drop a client that reads nothing, or next to nothing."""
        self._writing = None
        if self._unread - self.transport.get_write_buffer_size() < READ:
            self.transport.abort()
        else:
            self._expect_reading()

    def _stop_writing(self) -> None:
        if self._writing is not None:
            self._writing.cancel()
            self._writing = None


def protocol_class(seconds: float) -> type[asyncio.Protocol]:
    """The protocol of a server: with httptools, which is faster, if it is installed."""
    base: type[asyncio.Protocol] = H11Protocol
    if find_spec("httptools"):
        from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as base  # noqa: N813
    return type("BoundedProtocol", (Bounded, base), {"seconds": seconds})
