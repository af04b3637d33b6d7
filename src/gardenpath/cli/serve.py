"""`gardenpath serve`: serve models over HTTP."""

from __future__ import annotations

from typing import Annotated

import typer

from gardenpath.files import require_other_file
from gardenpath.web import require_web
from gardenpath.web.limits import MEBIBYTE, Limits

DEFAULT = Limits()
MODELS = ("en", "en-fast")         # a network, and a perceptron, whose repairs the page shows


def command(
    models: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="MODEL", help="Names of models or languages, model files, or NAME=FILE; the first is the default.",
            show_default="en and en-fast",
        ),
    ] = None,
    host: Annotated[
        str, typer.Option(help="Address to listen on; 0.0.0.0 accepts requests from other machines.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 chooses a free port.")] = 8001,
    threads: Annotated[
        int | None,
        typer.Option("--threads", "-t", min=1, metavar="N", help="Number of threads.", show_default="number of cores"),
    ] = None,
    max_body: Annotated[
        float, typer.Option(min=0.001, metavar="MIB", help="Maximum size of a request body.")
    ] = DEFAULT.body / MEBIBYTE,
    max_words: Annotated[
        int, typer.Option(min=1, metavar="N", help="Maximum number of words in a sentence.")
    ] = DEFAULT.words,
    max_traced_words: Annotated[
        int, typer.Option(min=1, metavar="N", help="Maximum number of words in a sentence that is shown step by step.")
    ] = DEFAULT.traced_words,
    timeout: Annotated[
        float, typer.Option(min=0.1, metavar="SECONDS", help="Maximum time for a request.")
    ] = DEFAULT.seconds,
    max_requests: Annotated[
        int, typer.Option(min=1, metavar="N", help="Maximum number of concurrent requests; others are rejected.")
    ] = DEFAULT.requests,
    max_connections: Annotated[
        int, typer.Option(min=1, metavar="N", help="Maximum number of open connections; others are rejected.")
    ] = DEFAULT.connections,
    max_bodies: Annotated[
        float,
        typer.Option(min=0.001, metavar="MIB", help="Maximum size of all concurrent request bodies together."),
    ] = DEFAULT.bodies / MEBIBYTE,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Host name of the server for its clients; * allows all. Can be repeated.",
            show_default="loopback names and --host",
        ),
    ] = None,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ORIGIN", help="Web site whose pages may use the server; * allows all. Can be repeated.",
            show_default="none",
        ),
    ] = None,
    access_log: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="File for the access log; - writes to standard error.", show_default="none"
        ),
    ] = None,
) -> None:
    """Serve models over HTTP: UDPipe's REST API, a JSON API, and a web page that shows the parser step by step.

    By default, the server accepts requests only from this machine; see --host. Ctrl+C or SIGTERM stops the server after
    the current requests are finished.

    Examples: gardenpath serve; gardenpath serve en german=de.gp --port 8080; gardenpath serve --host 0.0.0.0
    --allow-host parser.example.org --access-log access.log
    """
    require_web()
    from gardenpath.web.origins import OriginPolicy
    from gardenpath.web.served import ServedModels
    from gardenpath.web.server import serve

    limits = Limits(
        int(max_body * MEBIBYTE), max_words, max_traced_words, timeout, max_requests, max_connections,
        int(max(max_bodies, max_body) * MEBIBYTE), threads or DEFAULT.threads,
    )
    policy = OriginPolicy.of(host, allow_host or (), allow_origin or ())
    if access_log:
        files = (entry.partition("=")[2] for entry in models or ())
        require_other_file(access_log, (*(models or ()), *filter(None, files)), "the access log")
    serve(ServedModels.load(models or MODELS), limits, host, port, access_log, policy)
