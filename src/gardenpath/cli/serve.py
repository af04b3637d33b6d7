"""`gardenpath serve`: models behind HTTP."""

from __future__ import annotations

from typing import Annotated

import typer

from gardenpath.web import require_web
from gardenpath.web.limits import MEBIBYTE, Limits

DEFAULT = Limits()


def command(
    models: Annotated[
        list[str] | None,
        typer.Argument(help="The models: shipped ones, files, or NAME=FILE; the first is the default. Without any, `en`.", metavar="MODEL"),
    ] = None,
    host: Annotated[str, typer.Option(help="The address to listen at; 0.0.0.0 is all of this machine's, for everyone who can reach it.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen at; 0 is any that is free.")] = 8001,
    threads: Annotated[
        int | None, typer.Option("--threads", "-t", min=1, help="How many threads parse at the same time.", metavar="N", show_default="all cores")
    ] = None,
    max_body: Annotated[float, typer.Option(min=0.001, help="How large a request may be.", metavar="MIB")] = DEFAULT.body / MEBIBYTE,
    max_words: Annotated[int, typer.Option(min=1, help="How many words a sentence may have.", metavar="N")] = DEFAULT.words,
    max_traced_words: Annotated[
        int, typer.Option(min=1, help="How many words a sentence may have that is shown step by step.", metavar="N")
    ] = DEFAULT.traced_words,
    timeout: Annotated[float, typer.Option(min=0.1, help="How long a request may take.", metavar="SECONDS")] = DEFAULT.seconds,
    max_requests: Annotated[int, typer.Option(min=1, help="How many requests may be under way at once; more are turned away.", metavar="N")] = DEFAULT.requests,
    access_log: Annotated[
        str | None, typer.Option(help="A file to add a line to for each request; - is standard error.", metavar="FILE", show_default="none")
    ] = None,
) -> None:
    """Serve models over HTTP: UDPipe's REST API, a JSON API, and a page that shows a parser at work.

    Only this machine can reach the server unless --host says otherwise. Ctrl+C or SIGTERM ends it when what is under way is done.

    Examples: gardenpath serve; gardenpath serve en german=de.gp --port 8080; gardenpath serve --host 0.0.0.0 --access-log access.log
    """
    require_web()
    from gardenpath.web.served import ServedModels
    from gardenpath.web.server import serve

    limits = Limits(int(max_body * MEBIBYTE), max_words, max_traced_words, timeout, max_requests, threads or DEFAULT.threads)
    serve(ServedModels.load(models or ["en"]), limits, host, port, access_log)
