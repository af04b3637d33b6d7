"""The access log: one line per request, in the combined log format plus the duration.

Texts from clients are never logged.
"""

from __future__ import annotations

import sys
import time
from typing import IO

from starlette.types import Scope

_ESCAPES = {code: f"\\x{code:02x}" for code in (*range(32), 34, 92, *range(127, 160))}


class AccessLog:
    """A log file with one line per request."""

    def __init__(self, target: str) -> None:
        if target == "-":
            self._file: IO[str] = sys.stderr
        else:
            # The file stays open as long as the server runs.
            self._file = open(target, "a", encoding="utf-8", buffering=1)       # noqa: SIM115

    def write(self, scope: Scope, status: int, size: int, seconds: float) -> None:
        """Write the line for a request."""
        self._file.write(line(scope, status, size, seconds, time.localtime()))


def line(scope: Scope, status: int, size: int, seconds: float, now: time.struct_time) -> str:
    """Format a request as one line, without its query. Control characters from the client are escaped."""
    headers = dict(scope["headers"])
    host = scope["client"][0] if scope.get("client") else "-"
    request = f"{scope['method']} {scope['path']} HTTP/{scope['http_version']}"
    referer, agent = (headers.get(name, b"-").decode("latin-1") for name in (b"referer", b"user-agent"))
    quoted = " ".join(f'"{part.translate(_ESCAPES)}"' for part in (referer, agent))
    when = time.strftime("%d/%b/%Y:%H:%M:%S %z", now)
    return f'{host} - - [{when}] "{request.translate(_ESCAPES)}" {status} {size} {quoted} {seconds:.6f}\n'
