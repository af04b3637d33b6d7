"""Options that several commands share."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Annotated, Any

import typer

from gardenpath.errors import UsageError
from gardenpath.files import replacing

# Options for printing messages with rich: one line per message, brackets are printed literally.
PLAIN: dict[str, Any] = {"highlight": False, "markup": False, "soft_wrap": True}

MODEL_HELP = "Name of a model, a language or a treebank (see `gardenpath models list`), or a model file."

Output = Annotated[
    str, typer.Option("--output", "-o", metavar="FILE", help="Output file; - writes to standard output.")
]
ModelName = Annotated[
    str, typer.Option("--model", "-m", metavar="MODEL", help=MODEL_HELP)
]
NoPunctuation = Annotated[
    bool, typer.Option("--no-punctuation", help="Ignore words whose gold UPOS is PUNCT.")
]
Subtypes = Annotated[
    bool, typer.Option("--subtypes/--no-subtypes", help="Compare label subtypes: nsubj:pass differs from nsubj.")
]
MultiRoot = Annotated[bool, typer.Option("--multi-root", help="Accept sentences with several roots.")]
NonprojectiveOnly = Annotated[
    bool, typer.Option("--nonprojective-only", help="Score only sentences with a non-projective gold tree.")
]
ByLength = Annotated[
    bool, typer.Option("--by-length", help="Show scores by arc length and by sentence length.")
]
ByProjectivity = Annotated[
    bool, typer.Option("--by-projectivity", help="Show scores for projective and non-projective sentences and arcs.")
]
FullJson = Annotated[bool, typer.Option("--json", help="Print all results as JSON, without rounding.")]
Encoding = Annotated[
    str,
    typer.Option(
        "--encoding", metavar="NAME",
        help="Encoding of text files, such as utf-16 or cp1252. `auto` detects it.",
    ),
]
Columns = Annotated[
    str | None,
    typer.Option(
        "--columns", metavar="NAMES",
        help="Tables and CoNLL-U Plus: columns to write, for example 'form head_form deprel' or 'ID FORM HEAD'.",
        show_default="a selection; for CoNLL-U Plus those of FILE, or all ten",
    ),
]
TableRows = Annotated[
    str | None,
    typer.Option("--rows", metavar="KIND", help="Tables: one row per word (`words`) or per sentence (`sentences`).",
                 show_default="words"),
]
KeepHeads = Annotated[
    bool, typer.Option("--keep-heads", help="CoNLL-U input: keep all given heads, also in sentences with a whole tree.")
]
Reparse = Annotated[bool, typer.Option("--reparse", help="CoNLL-U input: keep no given heads.")]
DropConflicts = Annotated[
    bool,
    typer.Option("--drop-conflicts", help="CoNLL-U input: ignore given heads that contradict others, with a warning."),
]
Threads = Annotated[int, typer.Option("--threads", "-t", min=1, help="Number of threads.")]


def table_options(columns: str | None, rows: str | None) -> dict[str, Any]:
    """Return the options of the writer for --columns and --rows."""
    names = {} if columns is None else {"columns": columns.replace(",", " ").split()}
    return names if rows is None else {**names, "rows": rows}


def head_option(keep_heads: bool, reparse: bool) -> bool | None:
    """Return the argument `keep_heads` of `Model.parse` for --keep-heads and --reparse."""
    if keep_heads and reparse:
        raise UsageError("--keep-heads and --reparse contradict each other; leave out one of them")
    return True if keep_heads else False if reparse else None


@contextmanager
def output(target: str) -> Iterator[IO[str]]:
    """Open standard output (`-`) or a file for writing text, without translating line ends.

    A file gets its name only when it is complete.
    """
    with binary_output(target) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        yield text
        text.detach()


@contextmanager
def binary_output(target: str) -> Iterator[IO[bytes]]:
    """Open standard output (`-`) or a file for writing bytes. A file gets its name only when it is complete."""
    if target == "-":
        try:
            with open(sys.stdout.fileno(), "wb", closefd=False) as stream:
                yield stream
        except BrokenPipeError:
            # The process that reads our output has ended (`| head`). This is not an error.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(0) from None
        return
    with replacing(target) as file:
        yield file
