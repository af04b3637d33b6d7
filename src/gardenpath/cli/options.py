"""Options that several commands share."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Annotated, Any

import typer

from gardenpath.files import replacing

# For messages through rich: a message is one line, and brackets in it are brackets.
PLAIN: dict[str, Any] = {"highlight": False, "markup": False, "soft_wrap": True}

Output = Annotated[str, typer.Option("--output", "-o", help="Where to write; - is standard output.", metavar="FILE")]
ModelName = Annotated[str, typer.Option("--model", "-m", help="The name of a model that is shipped, or a file that `gardenpath train` wrote.", metavar="MODEL")]
NoPunctuation = Annotated[bool, typer.Option("--no-punctuation", help="Leave out the words that gold tags PUNCT.")]
Subtypes = Annotated[bool, typer.Option("--subtypes/--no-subtypes", help="Tell nsubj:pass from nsubj.")]
NonprojectiveOnly = Annotated[bool, typer.Option("--nonprojective-only", help="Only sentences whose gold tree has crossing arcs.")]
Threads = Annotated[int, typer.Option("--threads", "-t", min=1, help="How many threads parse at the same time.")]


@contextmanager
def output(target: str) -> Iterator[IO[str]]:
    """A text file to write to, line ends untouched: standard output, or a file that appears under its name only when it is complete."""
    with binary_output(target) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        yield text
        text.detach()


@contextmanager
def binary_output(target: str) -> Iterator[IO[bytes]]:
    """The same for bytes."""
    if target == "-":
        try:
            with open(sys.stdout.fileno(), "wb", closefd=False) as stream:
                yield stream
        except BrokenPipeError:
            # The reader of our output went away (`| head`): nothing is wrong, and nobody is left to tell.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(0) from None
        return
    with replacing(target) as file:
        yield file
