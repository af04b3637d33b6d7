"""uvicorn's HTTP protocols with limits, so that slow clients cannot keep connections open.

The limits are on the number of connections, on the time and size of the head of a request, and on the time in which a
client reads the response.
"""

from __future__ import annotations

import asyncio
from importlib.util import find_spec
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD = 1 << 16           # maximum size of the head of a request, in bytes
READ = 1 << 16           # bytes of the response that a client must read within the time limit of a request
TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"

BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\ncontent-length: %d\r\n"
    b"content-type: text/plain; charset=utf-8\r\nconnection: close\r\n\r\n%s"
)
_BUSY_SENTENCE = b"The server is busy: it has too many connections (option --max-connections). Try again in a second.\n"
BUSY %= (len(_BUSY_SENTENCE), _BUSY_SENTENCE)


class Bounded(asyncio.Protocol):
    """Mixin for a protocol of uvicorn with two timers: one for the head, one for reading the response."""

    # Both are set in `protocol_class`.
    seconds: float           # time limit of a request
    most_connections: int
    connections: set[Any]    # of the server; set by uvicorn
    transport: asyncio.Transport
    cycle: Any
    loop: asyncio.AbstractEventLoop
    _current_cycle: Any = None
    _head: asyncio.TimerHandle | None = None
    _head_size = 0
    _writing: asyncio.TimerHandle | None = None
    _unread = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start the timer for the head when a client connects."""
        super().connection_made(transport)
        if len(self.connections) > self.most_connections:
            self.transport.write(BUSY)
            self.transport.close()
        else:
            self._expect_head()

    def data_received(self, data: bytes) -> None:
        """Receive data, and limit the size and time of a head that is still incomplete."""
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
        """Handle a disconnection, also for the current request if others are pipelined behind it."""
        if self._current_cycle is not None and not self._current_cycle.response_complete:
            self._current_cycle.disconnected = True
            self._current_cycle.message_event.set()
        super().connection_lost(exc)
        self._stop_head()
        self._stop_writing()

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self._current_cycle = cycle
        super()._start_asgi_task(cycle, app)     # type: ignore[misc]

    def pause_writing(self) -> None:
        """Start the timer for reading, because the client reads more slowly than the server writes."""
        super().pause_writing()
        self._expect_reading()

    def resume_writing(self) -> None:
        """Stop the timer for reading, because the client has read most of the response."""
        super().resume_writing()
        self._stop_writing()

    def on_response_complete(self) -> None:
        """Finish a response. If the connection is closing, start the timer for reading the rest."""
        super().on_response_complete()           # type: ignore[misc]
        if self.transport.is_closing():
            self._expect_reading()

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection, and start the timer for reading the rest."""
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
            self._writing = self.loop.call_later(self.seconds, self._check_reading)

    def _check_reading(self) -> None:
        """Disconnect a client that has read less than `READ` bytes."""
        self._writing = None
        if self._unread - self.transport.get_write_buffer_size() < READ:
            self.transport.abort()
        else:
            self._expect_reading()

    def _stop_writing(self) -> None:
        if self._writing is not None:
            self._writing.cancel()
            self._writing = None


def protocol_class(seconds: float, connections: int) -> type[asyncio.Protocol]:
    """Return the protocol class of a server. It uses httptools if installed, which is faster than h11."""
    base: type[asyncio.Protocol] = H11Protocol
    if find_spec("httptools"):
        from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as base  # noqa: N813
    return type("BoundedProtocol", (Bounded, base), {"seconds": seconds, "most_connections": connections})
