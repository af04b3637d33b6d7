"""The access log: a line a request, in the combined format that log readers know, and how long it took. Texts of clients do not get into it."""

from __future__ import annotations

import sys
import time
from typing import IO

from starlette.types import Scope

_ESCAPES = {code: f"\\x{code:02x}" for code in (*range(32), 34, 92, *range(127, 160))}


class AccessLog:
    """A file that a line is added to for each request."""

    def __init__(self, target: str) -> None:
        # Open as long as there is a server.
        self._file: IO[str] = sys.stderr if target == "-" else open(target, "a", encoding="utf-8", buffering=1)  # noqa: SIM115

    def write(self, scope: Scope, status: int, size: int, seconds: float) -> None:
        """Add the line of a request."""
        self._file.write(line(scope, status, size, seconds, time.localtime()))


def line(scope: Scope, status: int, size: int, seconds: float, now: time.struct_time) -> str:
    """A request in one line, without its query; what the client wrote cannot begin another line."""
    headers = dict(scope["headers"])
    host = scope["client"][0] if scope.get("client") else "-"
    request = f"{scope['method']} {scope['path']} HTTP/{scope['http_version']}"
    referer, agent = (headers.get(name, b"-").decode("latin-1") for name in (b"referer", b"user-agent"))
    quoted = " ".join(f'"{part.translate(_ESCAPES)}"' for part in (referer, agent))
    return f'{host} - - [{time.strftime("%d/%b/%Y:%H:%M:%S %z", now)}] "{request.translate(_ESCAPES)}" {status} {size} {quoted} {seconds:.6f}\n'
