"""`gardenpath clusters`: from text to word clusters."""

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
    files: Annotated[list[str] | None, typer.Argument(help="The text; standard input if none is given or for -.", metavar="FILE")] = None,
    output_file: Output = "-",
    clusters: Annotated[int, typer.Option("--clusters", "-c", help="How many clusters to make.")] = 320,
    min_count: Annotated[int, typer.Option(help="Leave out words that are found less often.")] = 2,
    input_format: Annotated[
        str, typer.Option("--input", "-i", metavar="KIND", help="What is given: `conllu`, or `tokens`, a sentence a line with a space between tokens.")
    ] = "conllu",
) -> None:
    """Find clusters of words that are used alike.

    Brown clusters: every word gets a bit string, and the longer the beginning that two words share, the more alike they are. A line of the output is a bit
    string, a word and its count in the text, separated by tabs.

    Examples: gardenpath clusters train.conllu -o clusters.txt; gardenpath clusters -i tokens -c 1000 --min-count 5 news.txt -o clusters.txt
    """
    if input_format not in READERS:
        raise UsageError(f"no input is called {input_format!r}; there are {', '.join(READERS)}")
    sentences = chain.from_iterable(READERS[input_format](name) for name in files or ["-"])
    with output(output_file) as target, Progress(console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True) as progress:
        task = progress.add_task("reading", total=None)
        entries = induce(sentences, clusters, min_count, lambda done, total: progress.update(task, description="merging", completed=done, total=total))
        target.writelines(f"{path}\t{word}\t{count}\n" for path, word, count in entries)
