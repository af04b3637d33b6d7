"""`gardenpath clusters`: induce word clusters from text."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from gardenpath.cli.options import Output, output
from gardenpath.clusters.brown import induce
from gardenpath.errors import UsageError
from gardenpath.formats.conllu import read_conllu
from gardenpath.formats.text import read_pieces


def _forms(source: str) -> Iterator[list[str]]:
    return ([word.form for word in sentence.words] for sentence in read_conllu(source))


def _tokens(source: str) -> Iterator[list[str]]:
    return (line.split() for piece in read_pieces(source, by_line=True) for line in piece.text.split("\n"))


READERS: dict[str, Callable[[str], Iterator[list[str]]]] = {"conllu": _forms, "tokens": _tokens}


def command(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE", help="Input files; - or no file reads standard input.")
    ] = None,
    output_file: Output = "-",
    clusters: Annotated[int, typer.Option("--clusters", "-c", help="Number of clusters.")] = 320,
    min_count: Annotated[int, typer.Option(help="Ignore words that occur less often than this.")] = 2,
    input_format: Annotated[
        str,
        typer.Option(
            "--input", "-i", metavar="KIND",
            help="Input format: `conllu`, or `tokens` (one sentence per line, tokens separated by spaces).",
        ),
    ] = "conllu",
) -> None:
    """Induce Brown clusters: groups of words that occur in similar contexts.

    Every word gets a bit string. The longer the common prefix of two bit strings, the more similar the words are. Each
    output line has a bit string, a word and the count of the word, separated by tabs.

    Examples: gardenpath clusters train.conllu -o clusters.txt; gardenpath clusters -i tokens -c 1000 --min-count 5
    news.txt -o clusters.txt
    """
    if input_format not in READERS:
        raise UsageError(f"unknown input format {input_format!r}; choose one of {', '.join(READERS)}")
    sentences = chain.from_iterable(READERS[input_format](name) for name in files or ["-"])
    bar = Progress(console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True)
    with output(output_file) as target, bar:
        task = bar.add_task("reading", total=None)

        def update(done: int, total: int) -> None:
            bar.update(task, description="merging", completed=done, total=total)

        entries = induce(sentences, clusters, min_count, update)
        target.writelines(f"{path}\t{word}\t{count}\n" for path, word, count in entries)
