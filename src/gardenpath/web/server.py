"""Running the server: the socket, signals, the end."""

from __future__ import annotations

import ipaddress
import logging
import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import uvicorn

from gardenpath.errors import UsageError
from gardenpath.web.access import AccessLog
from gardenpath.web.app import create_app
from gardenpath.web.limits import Limits
from gardenpath.web.protocol import HEAD, protocol_class
from gardenpath.web.served import ServedModels

KEEP_ALIVE = 5           # seconds that a connection is kept without a request
QUEUE = 2048             # connections that wait to be accepted


def serve(models: ServedModels, limits: Limits, host: str, port: int, access_log: str | None = None) -> None:
    """Serve until SIGINT or SIGTERM comes; then finish what is under way. Port 0 is any that is free."""
    _allow_many_connections()
    listening = _listen(host, port)
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)        # what goes wrong in a request is the guard's to log
    config = uvicorn.Config(
        create_app(models, limits, AccessLog(access_log) if access_log else None),
        http=protocol_class(limits.seconds), ws="none", lifespan="on", log_config=None, access_log=False, server_header=False, proxy_headers=False,
        timeout_keep_alive=KEEP_ALIVE, timeout_graceful_shutdown=int(limits.seconds) + 1, h11_max_incomplete_event_size=HEAD,
    )
    _announce(models, host, listening)
    _Server(config).run(sockets=[listening])


class _Server(uvicorn.Server):
    """A server for which being told to stop is no failure."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        yield
        for number, handler in before.items():
            signal.signal(number, handler)


def _allow_many_connections() -> None:
    """As many as the system lets this process have, where it has such a bound."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
        return socket.create_server((host, port), family=family, backlog=QUEUE)
    except OSError as error:
        reason = str(error.strerror) if isinstance(error, socket.gaierror) or error.errno is None else os.strerror(error.errno)
        raise UsageError(f"cannot serve on {host}, port {port}: {reason.lower()}; give another --port, 0 for any that is free, or another --host") from None


def _announce(models: ServedModels, host: str, listening: socket.socket) -> None:
    names = ", ".join(served.name for served in models)
    port = listening.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    print(f"gardenpath: serving {names} on http://{shown}:{port} (Ctrl+C stops)", file=sys.stderr)
    if not ipaddress.ip_address(listening.getsockname()[0]).is_loopback:
        print("gardenpath: everyone who can reach this address can use the server; --host 127.0.0.1 is for this machine alone", file=sys.stderr)
    sys.stderr.flush()
