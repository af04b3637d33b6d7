"""Options that several commands share."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Annotated

import typer

from gardenpath.files import replacing_text

Output = Annotated[str, typer.Option("--output", "-o", help="Where to write; - is standard output.", metavar="FILE")]
ModelPath = Annotated[Path, typer.Option("--model", "-m", help="A model file, as `gardenpath train` writes it.", metavar="MODEL")]
Threads = Annotated[int, typer.Option("--threads", "-t", min=1, help="How many threads parse at the same time.")]


@contextmanager
def output(target: str) -> Iterator[IO[str]]:
    """A text file to write to, bytes untouched: standard output, or a file that appears under its name only when it is complete."""
    if target == "-":
        try:
            with open(sys.stdout.fileno(), "w", encoding="utf-8", newline="", closefd=False) as stream:
                yield stream
        except BrokenPipeError:
            # The reader of our output went away (`| head`): nothing is wrong, and nobody is left to tell.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(0) from None
        return
    with replacing_text(target) as file:
        yield file
