"""`gardenpath parse`: fill in HEAD and DEPREL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Annotated, Any

import typer

from gardenpath import models
from gardenpath.cli.options import ModelPath, Output, Threads, output
from gardenpath.document import Sentence
from gardenpath.errors import UsageError
from gardenpath.formats.conllu import read_conllu
from gardenpath.formats.conllx import read_conllx

READERS: dict[str, Callable[[Any], Iterator[Sentence]]] = {"conllu": read_conllu, "conllx": read_conllx}


def command(
    model: ModelPath,
    files: Annotated[list[str] | None, typer.Argument(help="Tagged sentences; standard input if none is given or for -.", metavar="FILE")] = None,
    output_file: Output = "-",
    input_format: Annotated[str, typer.Option("--input", help=f"The format of the input: {' or '.join(READERS)}.", metavar="FORMAT")] = "conllu",
    threads: Threads = 1,
) -> None:
    """Parse tagged sentences.

    HEAD and DEPREL are filled in, every sentence gets one tree; all other columns, comments, multiword tokens and empty nodes leave as they came.

    Example: gardenpath parse -m en.gp tagged.conllu -o parsed.conllu
    """
    if input_format not in READERS:
        raise UsageError(f"no input format is called {input_format!r}; there are {', '.join(READERS)}")
    parser = models.load(model)
    sentences = chain.from_iterable(READERS[input_format](name) for name in files or ["-"])
    with output(output_file) as target:
        for sentence in parser.stream(sentences, threads):
            target.write(sentence.to_conllu())
