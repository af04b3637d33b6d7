"""Run the server: open the socket, handle signals, shut down."""

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
from gardenpath.web.origins import OriginPolicy
from gardenpath.web.protocol import HEAD, protocol_class
from gardenpath.web.served import ServedModels

KEEP_ALIVE = 5           # seconds that an idle connection is kept open
QUEUE = 2048             # maximum number of connections waiting to be accepted


def serve(
    models: ServedModels, limits: Limits, host: str, port: int, access_log: str | None = None,
    policy: OriginPolicy | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM, then finish the current requests. Port 0 chooses a free port."""
    _allow_many_connections()
    listening = _listen(host, port)
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)        # the guard logs the errors of requests
    log = AccessLog(access_log) if access_log else None
    config = uvicorn.Config(
        create_app(models, limits, log, policy or OriginPolicy.of(host)),
        http=protocol_class(limits.seconds, limits.connections), ws="none", lifespan="on", log_config=None,
        access_log=False, server_header=False, proxy_headers=False, timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=int(limits.seconds) + 1, h11_max_incomplete_event_size=HEAD,
    )
    _announce(models, host, listening)
    _Server(config).run(sockets=[listening])


class _Server(uvicorn.Server):
    """A server that exits normally after SIGINT and SIGTERM."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        yield
        for number, handler in before.items():
            signal.signal(number, handler)


def _allow_many_connections() -> None:
    """Raise the limit on open files to the maximum that the system allows."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
        return socket.create_server((host, port), family=family, backlog=QUEUE)
    except OSError as error:
        if error.errno is None or isinstance(error, socket.gaierror):
            reason = str(error.strerror)
        else:
            reason = os.strerror(error.errno)
        remedy = "give another --host, or another --port (0 chooses a free one)"
        raise UsageError(f"cannot serve on {host}, port {port}: {reason.lower()}; {remedy}") from None


def _announce(models: ServedModels, host: str, listening: socket.socket) -> None:
    names = ", ".join(served.name for served in models)
    port = listening.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    print(f"gardenpath: serving {names} on http://{shown}:{port} (press Ctrl+C to stop)", file=sys.stderr)
    if not ipaddress.ip_address(listening.getsockname()[0]).is_loopback:
        warning = "other machines can use this server; use --host 127.0.0.1 to allow only this machine"
        print(f"gardenpath: {warning}", file=sys.stderr)
    sys.stderr.flush()
