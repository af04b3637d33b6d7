"""Middleware for all requests: hosts and origins, limits on size, time and number, metrics and the access log."""

from __future__ import annotations

import asyncio
import logging

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gardenpath.web import errors
from gardenpath.web.access import AccessLog
from gardenpath.web.limits import MEBIBYTE, Limits
from gardenpath.web.metrics import GONE, Metrics
from gardenpath.web.origins import OriginPolicy

PATIENCE = 0.05          # seconds before a request is watched for timeout and disconnection
# A body that is too large is read up to this multiple of the limit, so that the client can read the error response.
DISCARDED = 8
PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST, OPTIONS", "Access-Control-Allow-Headers": "*",
    "Access-Control-Max-Age": "86400",
}
CLOSE = {"Connection": "close"}
WATCHED = ("/health", "/metrics")        # paths without a limit on the number of requests

logger = logging.getLogger("gardenpath")


class RejectedError(Exception):
    """Raised for a request that exceeds a limit; has the status, message and headers of the response."""

    def __init__(self, limit: str, status: int, sentence: str, headers: dict[str, str]) -> None:
        super().__init__(sentence)
        self.limit, self.status, self.headers = limit, status, headers


class ResponseTracker:
    """Sends the response to the client, and records its status, size and progress."""

    __slots__ = ("status", "size", "complete", "_bodiless", "_headers", "_send")

    def __init__(self, send: Send, headers: list[tuple[bytes, bytes]], *, bodiless: bool) -> None:
        self.status = GONE
        self.size = 0
        self.complete = False
        self._bodiless = bodiless
        self._headers = headers
        self._send = send

    @property
    def begun(self) -> bool:
        """Whether the head of the response has been sent."""
        return self.status != GONE

    async def __call__(self, message: Message) -> None:
        """Send a message of the response."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message["headers"] = [*message.get("headers", ()), *self._headers]
        elif self._bodiless:
            message = {**message, "body": b""}
        if message["type"] == "http.response.body":
            self.size += len(message.get("body", b""))
            self.complete = not message.get("more_body", False)
        await self._send(message)


class Watch:
    """Cancels the handler of a request when the client disconnects or the time limit is reached."""

    __slots__ = ("late", "gone", "_handler", "_receive", "_response", "_deadline", "_timer", "_task")

    def __init__(self, receive: Receive, response: ResponseTracker, deadline: float) -> None:
        self.late = self.gone = False
        self._handler = asyncio.current_task()
        self._receive, self._response, self._deadline = receive, response, deadline
        self._task: asyncio.Task[None] | None = None
        self._timer = asyncio.get_running_loop().call_later(PATIENCE, self._begin)

    def end(self) -> None:
        """Stop watching, because the handler has finished."""
        self._timer.cancel()
        if self._task is not None:
            self._task.cancel()

    def _begin(self) -> None:
        self._task = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        try:
            async with asyncio.timeout_at(self._deadline):
                while (await self._receive())["type"] != "http.disconnect":
                    pass
        except TimeoutError:
            self.late = True
        else:
            self.gone = True
        if self._handler is not None and not self._response.complete:
            self._handler.cancel()


class Guard:
    """ASGI middleware that enforces the limits and records every request."""

    def __init__(
        self, app: ASGIApp, limits: Limits, metrics: Metrics, log: AccessLog | None = None,
        policy: OriginPolicy = OriginPolicy(),
    ) -> None:
        self.app = app
        self.limits = limits
        self.metrics = metrics
        self.log = log
        self.policy = policy
        self.bodies = 0                  # bytes of all bodies that are being received or processed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        now = asyncio.get_running_loop().time
        started = now()
        allowed = self.policy.response_headers(scope["headers"])
        response = ResponseTracker(send, allowed, bodiless=scope["method"] == "HEAD")
        handled = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope
        try:
            await self._respond(handled, receive, response, started + self.limits.seconds)
        finally:
            seconds = now() - started
            route = handled.get("route")
            self.metrics.count(route.path if route else None, scope["method"], response.status, seconds)
            if self.log:
                self.log.write(scope, response.status, response.size, seconds)

    async def _respond(self, scope: Scope, receive: Receive, response: ResponseTracker, deadline: float) -> None:
        failure: Response
        try:
            await self._pass_on(scope, receive, response, deadline)
        except RejectedError as rejection:
            self.metrics.reject(rejection.limit)
            failure = errors.error_response(scope["path"], rejection.status, str(rejection), rejection.headers)
        except Exception:
            logger.exception("%s %s failed", scope["method"], scope["path"])
            sentence = "An internal error occurred; see the standard error of the server."
            failure = errors.error_response(scope["path"], 500, sentence)
        else:
            return
        if not response.begun:
            await failure(scope, receive, response)

    async def _pass_on(self, scope: Scope, receive: Receive, response: ResponseTracker, deadline: float) -> None:
        refusal = self.policy.refusal(scope["headers"])
        if refusal is not None:
            raise RejectedError("origin", 403, refusal, CLOSE)
        asks_for_method = any(name == b"access-control-request-method" for name, _ in scope["headers"])
        if scope["method"] == "OPTIONS" and asks_for_method:
            await Response(None, 204, PREFLIGHT)(scope, receive, response)
            return
        share = _Share(self)
        try:
            body = await self._read(scope, receive, deadline, share)
            if body is not None:
                await self._admit(scope, body, receive, response, deadline)
        finally:
            share.release()

    async def _admit(
        self, scope: Scope, body: bytes, receive: Receive, response: ResponseTracker, deadline: float
    ) -> None:
        """Handle a request whose body is complete, unless there are too many."""
        if self.metrics.under_way >= self.limits.requests and scope["path"] not in WATCHED:
            limit = f"at most {self.limits.requests:,} requests at once (option --max-requests)"
            sentence = f"The server is busy: it handles {limit}. Try again in a second."
            raise RejectedError("requests", 503, sentence, {"Retry-After": "1"})
        self.metrics.under_way += 1
        try:
            await self._handle(scope, body, receive, response, deadline)
        finally:
            self.metrics.under_way -= 1

    async def _read(self, scope: Scope, receive: Receive, deadline: float, share: _Share) -> bytes | None:
        """Read the body. Return None if the client disconnects. A body that is too large is not stored."""
        limit, parts, total = self.limits.body, [], 0
        headers = dict(scope["headers"])
        # Do not request a body that is too large from a client that sends `Expect: 100-continue`.
        more = not (b"expect" in headers and int(headers.get(b"content-length", 0)) > limit)
        if not more:
            total = limit + 1
        try:
            async with asyncio.timeout_at(deadline):
                while more and total <= DISCARDED * limit:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return None
                    part = message.get("body", b"")
                    total += len(part)
                    if total <= limit:
                        share.grow(len(part))
                        parts.append(part)
                    more = message.get("more_body", False)
        except TimeoutError:
            sentence = f"The request did not arrive within {self.limits.seconds:g} seconds (server option --timeout)."
            raise RejectedError("seconds", 408, sentence, CLOSE) from None
        if total > limit:
            size = f"{limit / MEBIBYTE:g} MiB"
            sentence = f"The request is larger than {size} (server option --max-body); split it into smaller requests."
            raise RejectedError("body", errors.TOO_LARGE, sentence, CLOSE if more or not parts else {})
        return b"".join(parts)

    async def _handle(
        self, scope: Scope, body: bytes, receive: Receive, response: ResponseTracker, deadline: float
    ) -> None:
        """Run the handler until it finishes, the time limit is reached or the client disconnects."""
        watch = Watch(receive, response, deadline)
        try:
            await self.app(scope, _once(body), response)
        except asyncio.CancelledError:
            if not watch.late and not watch.gone:
                raise                    # the server is shutting down
            asyncio.current_task().uncancel()        # type: ignore[union-attr]
            if watch.late:
                limit = f"{self.limits.seconds:g} seconds (server option --timeout)"
                sentence = f"The request took longer than {limit}; split it into smaller requests."
                raise RejectedError("seconds", 503, sentence, {}) from None
        finally:
            watch.end()


class _Share:
    """The share of a request in the memory for bodies of all requests."""

    __slots__ = ("size", "_guard")

    def __init__(self, guard: Guard) -> None:
        self.size = 0
        self._guard = guard

    def grow(self, size: int) -> None:
        """Take more memory, or reject the request if all requests together would take too much."""
        most = self._guard.limits.bodies
        if self._guard.bodies + size > most:
            limit = f"at most {most / MEBIBYTE:g} MiB of requests at once (option --max-bodies)"
            sentence = f"The server is busy: it accepts {limit}. Try again in a second."
            raise RejectedError("bodies", 503, sentence, {"Retry-After": "1", **CLOSE})
        self.size += size
        self._guard.bodies += size

    def release(self) -> None:
        """Give the memory back."""
        self._guard.bodies -= self.size
        self.size = 0


def _once(body: bytes) -> Receive:
    """Return an ASGI channel with the whole body and nothing after it. The guard itself detects disconnections."""
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        if messages:
            return messages.pop()
        return await asyncio.get_running_loop().create_future()

    return receive
