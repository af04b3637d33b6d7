"""Error responses: plain text on the URLs of UDPipe's REST API, JSON on all others."""

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
SHOWN = 5                # maximum number of problems in a response
LONGEST = 200            # maximum number of characters of a place in a request
PLAIN = "text/plain; charset=utf-8"
_UDPIPE = ("/models", "/process")


def is_udpipe(path: str) -> bool:
    """Return whether the path belongs to UDPipe's REST API."""
    return path in _UDPIPE or path.startswith("/weblicht/")


def error_response(path: str, status: int, sentence: str, headers: dict[str, str] | None = None) -> Response:
    """Create the error response for a URL."""
    if is_udpipe(path):
        return Response(_bytes(f"{sentence}\n"), 400 if status == TOO_LARGE else status, headers, PLAIN)
    return Response(_bytes(json.dumps({"error": sentence}, ensure_ascii=False)), status, headers, "application/json")


def _bytes(text: str) -> bytes:
    """Encode in UTF-8. Text that is quoted from a request may contain lone surrogates."""
    return text.encode("utf-8", "replace")


def response_for(scope: Scope, error: Exception) -> Response:
    """Create the response for an exception that a handler raised."""
    path, method = scope["path"], scope["method"]
    if isinstance(error, RequestValidationError):
        problems = error.errors()
        more = [f"and {len(problems) - SHOWN:,} more"] if len(problems) > SHOWN else []
        return error_response(path, 400, "; ".join([*map(_sentence, problems[:SHOWN]), *more]))
    if not isinstance(error, HTTPException):
        return error_response(path, 400, str(error))
    headers = dict(error.headers or {})
    if error.status_code == 404 and error.detail == "Not Found":
        return Response(_bytes(f"No handler for the given URL '{path}'.\n"), 404, media_type=PLAIN)
    if error.status_code == 405:
        allowed = headers.get("Allow", "another method")
        return error_response(path, 405, f"{path} does not support {method}; use {allowed}", headers)
    return error_response(path, error.status_code, error.detail, headers)


def install(app: FastAPI) -> None:
    """Register the handlers for expected exceptions. The guard handles all others."""

    async def handle(request: Request, error: Exception) -> Response:
        return response_for(request.scope, error)

    for kind in (GardenpathError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, handle)


def _sentence(problem: dict[str, Any]) -> str:
    """Describe a problem with a value of the request, and its place."""
    place = ".".join(str(part) for part in problem["loc"] if part != "body")[:LONGEST]
    if problem["type"] == "json_invalid":
        return f"the body is not JSON: {problem['ctx']['error']}, at character {problem['loc'][-1] + 1}"
    if problem["type"] == "value_error" and not place:
        return str(problem["msg"]).removeprefix("Value error, ")
    if not place:
        return "the body must be a JSON object, sent with `Content-Type: application/json`"
    return f"{place}: {problem['msg'].removeprefix('Value error, ')}"
