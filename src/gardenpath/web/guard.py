"""What stands between clients and handlers: limits on size, time and number, headers for browsers, counts and the access log."""

from __future__ import annotations

import asyncio
import logging

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gardenpath.web import errors
from gardenpath.web.access import AccessLog
from gardenpath.web.limits import MEBIBYTE, Limits
from gardenpath.web.metrics import GONE, Metrics

PATIENCE = 0.05          # seconds; what is done before needs nobody to watch whether the client is still there
DISCARDED = 8            # so many times the limit are read of a body that is too large, so that its client gets to read the answer
ORIGIN = (b"access-control-allow-origin", b"*")
PREFLIGHT = {"Access-Control-Allow-Methods": "GET, HEAD, POST, OPTIONS", "Access-Control-Allow-Headers": "*", "Access-Control-Max-Age": "86400"}
CLOSE = {"Connection": "close"}
WATCHED = ("/health", "/metrics")        # what is answered however much there is to do

logger = logging.getLogger("gardenpath")


class RefusedError(Exception):
    """A request that met a limit: the status and the sentence to answer."""

    def __init__(self, limit: str, status: int, sentence: str, headers: dict[str, str]) -> None:
        super().__init__(sentence)
        self.limit, self.status, self.headers = limit, status, headers


class Answer:
    """What is sent to the client, and how far that has come."""

    __slots__ = ("status", "size", "complete", "_bodiless", "_send")

    def __init__(self, send: Send, *, bodiless: bool) -> None:
        self.status = GONE
        self.size = 0
        self.complete = False
        self._bodiless = bodiless
        self._send = send

    @property
    def begun(self) -> bool:
        """Has its head been sent?"""
        return self.status != GONE

    async def __call__(self, message: Message) -> None:
        """Send a part of it."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message["headers"] = [*message.get("headers", ()), ORIGIN]
        elif self._bodiless:
            message = {**message, "body": b""}
        if message["type"] == "http.response.body":
            self.size += len(message.get("body", b""))
            self.complete = not message.get("more_body", False)
        await self._send(message)


class Watch:
    """Whoever looks whether the client is still there and time is left, and cancels the handler if not."""

    __slots__ = ("late", "gone", "_handler", "_receive", "_answer", "_deadline", "_timer", "_task")

    def __init__(self, receive: Receive, answer: Answer, deadline: float) -> None:
        self.late = self.gone = False
        self._handler = asyncio.current_task()
        self._receive, self._answer, self._deadline = receive, answer, deadline
        self._task: asyncio.Task[None] | None = None
        self._timer = asyncio.get_running_loop().call_later(PATIENCE, self._begin)

    def end(self) -> None:
        """The handler is done."""
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
        if self._handler is not None and not self._answer.complete:
            self._handler.cancel()


class Guard:
    """ASGI middleware that every request goes through."""

    def __init__(self, app: ASGIApp, limits: Limits, metrics: Metrics, log: AccessLog | None = None) -> None:
        self.app = app
        self.limits = limits
        self.metrics = metrics
        self.log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        now = asyncio.get_running_loop().time
        started = now()
        answer = Answer(send, bodiless=scope["method"] == "HEAD")
        handled = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope
        try:
            await self._answer(handled, receive, answer, started + self.limits.seconds)
        finally:
            seconds = now() - started
            route = handled.get("route")
            self.metrics.count(route.path if route else None, scope["method"], answer.status, seconds)
            if self.log:
                self.log.write(scope, answer.status, answer.size, seconds)

    async def _answer(self, scope: Scope, receive: Receive, answer: Answer, deadline: float) -> None:
        failure: Response
        try:
            await self._pass_on(scope, receive, answer, deadline)
        except RefusedError as refusal:
            self.metrics.refuse(refusal.limit)
            failure = errors.answer(scope["path"], refusal.status, str(refusal), refusal.headers)
        except Exception:
            logger.exception("%s %s failed", scope["method"], scope["path"])
            failure = errors.answer(scope["path"], 500, "Something went wrong in the server; its standard error says what.")
        else:
            return
        if not answer.begun:
            await failure(scope, receive, answer)

    async def _pass_on(self, scope: Scope, receive: Receive, answer: Answer, deadline: float) -> None:
        if scope["method"] == "OPTIONS" and any(name == b"access-control-request-method" for name, _ in scope["headers"]):
            await Response(None, 204, PREFLIGHT)(scope, receive, answer)
            return
        body = await self._read(scope, receive, deadline)
        if body is None:
            return
        if self.metrics.under_way >= self.limits.requests and scope["path"] not in WATCHED:
            sentence = f"This server is busy with {self.limits.requests:,} requests; try again in a second (its option --max-requests)."
            raise RefusedError("requests", 503, sentence, {"Retry-After": "1"})
        self.metrics.under_way += 1
        try:
            await self._handle(scope, body, receive, answer, deadline)
        finally:
            self.metrics.under_way -= 1

    async def _read(self, scope: Scope, receive: Receive, deadline: float) -> bytes | None:
        """The body, None if the client went away before its end. What is too large is not kept."""
        limit, parts, total = self.limits.body, [], 0
        headers = dict(scope["headers"])
        # Who expects to be asked for the body is not asked for one that is too large.
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
                        parts.append(part)
                    more = message.get("more_body", False)
        except TimeoutError:
            sentence = f"The request did not arrive within {self.limits.seconds:g} seconds (option --timeout of the server)."
            raise RefusedError("seconds", 408, sentence, CLOSE) from None
        if total > limit:
            sentence = f"The request is larger than {limit / MEBIBYTE:g} MiB (option --max-body of the server); divide it."
            raise RefusedError("body", errors.TOO_LARGE, sentence, CLOSE if more or not parts else {})
        return b"".join(parts)

    async def _handle(self, scope: Scope, body: bytes, receive: Receive, answer: Answer, deadline: float) -> None:
        """Let the handler answer, as long as there is time and somebody to answer to."""
        watch = Watch(receive, answer, deadline)
        try:
            await self.app(scope, _once(body), answer)
        except asyncio.CancelledError:
            if not watch.late and not watch.gone:
                raise                    # the server is going down
            asyncio.current_task().uncancel()        # type: ignore[union-attr]
            if watch.late:
                sentence = f"This took longer than {self.limits.seconds:g} seconds (option --timeout of the server); ask for less at once."
                raise RefusedError("seconds", 503, sentence, {}) from None
        finally:
            watch.end()


def _once(body: bytes) -> Receive:
    """A channel that holds the whole body, and nothing after it: it is the guard who sees that a client goes away."""
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        if messages:
            return messages.pop()
        return await asyncio.get_running_loop().create_future()

    return receive
