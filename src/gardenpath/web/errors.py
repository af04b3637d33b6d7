"""What a client is told when something is wrong: a sentence, as UDPipe writes it on UDPipe's URLs and as JSON elsewhere."""

from __future__ import annotations

import json
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Scope

from gardenpath.errors import GardenpathError

TOO_LARGE = 413
PLAIN = "text/plain; charset=utf-8"
_UDPIPE = ("/models", "/process")


def is_udpipe(path: str) -> bool:
    """Is it a URL of UDPipe's REST API?"""
    return path in _UDPIPE or path.startswith("/weblicht/")


def answer(path: str, status: int, sentence: str, headers: dict[str, str] | None = None) -> Response:
    """The answer of a URL to a request that is at fault, or that nothing could be done for."""
    if is_udpipe(path):
        return Response(_bytes(f"{sentence}\n"), 400 if status == TOO_LARGE else status, headers, PLAIN)
    return Response(_bytes(json.dumps({"error": sentence}, ensure_ascii=False)), status, headers, "application/json")


def _bytes(text: str) -> bytes:
    """In UTF-8, whatever a client made us repeat."""
    return text.encode("utf-8", "replace")


def of(scope: Scope, error: Exception) -> Response:
    """The answer for an exception of a handler."""
    path, method = scope["path"], scope["method"]
    if isinstance(error, RequestValidationError):
        return answer(path, 400, "; ".join(map(_sentence, error.errors())))
    if not isinstance(error, HTTPException):
        return answer(path, 400, str(error))
    headers = dict(error.headers or {})
    if error.status_code == 404 and error.detail == "Not Found":
        return Response(_bytes(f"No handler for the given URL '{path}'.\n"), 404, media_type=PLAIN)
    if error.status_code == 405:
        return answer(path, 405, f"{path} does not take {method}, only {headers.get('Allow', 'other methods')}", headers)
    return answer(path, error.status_code, error.detail, headers)


def install(app: FastAPI) -> None:
    """Turn the exceptions of handlers into answers; the unforeseen ones are the guard's."""

    async def handle(request: Request, error: Exception) -> Response:
        return of(request.scope, error)

    for kind in (GardenpathError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, handle)


def _sentence(problem: dict[str, Any]) -> str:
    """A problem with a value of the request, at its place."""
    place = ".".join(str(part) for part in problem["loc"] if part != "body")
    if problem["type"] == "json_invalid":
        return f"the body is not JSON: {problem['ctx']['error']}, at character {problem['loc'][-1] + 1}"
    if not place:
        return "the body should be a JSON object, sent with `Content-Type: application/json`"
    return f"{place}: {problem['msg'].removeprefix('Value error, ')}"
