"""`gardenpath clusters`: induce word clusters from text or from word vectors."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from gardenpath.cli.options import Output, output
from gardenpath.clusters import bisecting, brown
from gardenpath.errors import UsageError
from gardenpath.features.vectors import read_vectors
from gardenpath.files import require_other_file
from gardenpath.formats.conllu import read_conllu
from gardenpath.formats.text import read_pieces


def _forms(source: str) -> Iterator[list[str]]:
    return ([word.form for word in sentence.words] for sentence in read_conllu(source))


def _tokens(source: str) -> Iterator[list[str]]:
    return (line.split() for piece in read_pieces(source, by_line=True) for line in piece.text.split("\n"))


READERS: dict[str, Callable[[str], Iterator[list[str]]]] = {"conllu": _forms, "tokens": _tokens}
CLUSTERS = 320
CLUSTERS_OF_VECTORS = 1024
MIN_COUNT = 2
MAX_VECTORS = 100_000


def _or(number: int | None, default: int) -> int:
    return default if number is None else number


def _check(vectors: str | None, max_vectors: int | None, for_text: dict[str, object]) -> None:
    """Raise an error if an argument has no effect."""
    if vectors is None and max_vectors is not None:
        raise UsageError("--max-vectors has no effect without --vectors; give a file of vectors, or leave it out")
    given = [name for name, value in for_text.items() if value not in (None, [])]
    if vectors is not None and given:
        raise UsageError(f"--vectors cannot be combined with {', '.join(given)}; cluster either text or vectors")


def command(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE", help="Input files; - or no file reads standard input.")
    ] = None,
    output_file: Output = "-",
    clusters: Annotated[
        int | None,
        typer.Option(
            "--clusters", "-c", help="Number of clusters.",
            show_default=f"{CLUSTERS}; of vectors {CLUSTERS_OF_VECTORS}",
        ),
    ] = None,
    min_count: Annotated[
        int | None, typer.Option(help="Ignore words that occur less often than this.", show_default=str(MIN_COUNT))
    ] = None,
    input_format: Annotated[
        str | None,
        typer.Option(
            "--input", "-i", metavar="KIND", show_default="conllu",
            help="Input format: `conllu`, or `tokens` (one sentence per line, tokens separated by spaces).",
        ),
    ] = None,
    vectors: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", show_default="none",
            help="Cluster the vectors of this file, instead of text: GloVe, word2vec or fastText, text or binary.",
        ),
    ] = None,
    max_vectors: Annotated[
        int | None,
        typer.Option(
            min=2, help="Number of words of that file, from its start, to cluster.", show_default=str(MAX_VECTORS),
        ),
    ] = None,
) -> None:
    """Induce word clusters: groups of words that are used alike.

    Text gives Brown clusters. With --vectors, the command clusters the words of a file of pretrained vectors. Every
    word gets a bit string. The longer the common prefix of two bit strings, the more similar the words are. Each output
    line has a bit string, a word and the count of the word (with --vectors its rank), separated by tabs.

    Examples: gardenpath clusters train.conllu -o clusters.txt; gardenpath clusters -i tokens -c 1000 --min-count 5
    news.txt -o clusters.txt; gardenpath clusters --vectors glove.6B.100d.txt -o clusters.txt
    """
    _check(vectors, max_vectors, {"input files": files, "--min-count": min_count, "--input": input_format})
    kind = input_format or "conllu"
    if kind not in READERS:
        raise UsageError(f"unknown input format {kind!r}; choose one of {', '.join(READERS)}")
    require_other_file(output_file, (*(files or ()), vectors), "the list of clusters")
    bar = Progress(console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True)
    with output(output_file) as target, bar:
        task = bar.add_task("reading", total=None)

        def update(done: int, total: int) -> None:
            bar.update(task, description="clustering", completed=done, total=total)

        if vectors is not None:
            rows = read_vectors(vectors, limit=_or(max_vectors, MAX_VECTORS))
            entries = bisecting.induce(rows, _or(clusters, CLUSTERS_OF_VECTORS), update)
        else:
            sentences = chain.from_iterable(READERS[kind](name) for name in files or ["-"])
            entries = brown.induce(sentences, _or(clusters, CLUSTERS), _or(min_count, MIN_COUNT), update)
        target.writelines(f"{path}\t{word}\t{number}\n" for path, word, number in entries)
