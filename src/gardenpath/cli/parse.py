"""`gardenpath parse`: fill in HEAD and DEPREL."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Annotated, Any

import typer

from gardenpath import models
from gardenpath.cli.options import ModelPath, Output, Threads, output
from gardenpath.document import Sentence
from gardenpath.errors import UsageError
from gardenpath.formats.conllu import read_conllu
from gardenpath.formats.conllx import read_conllx
from gardenpath.search import WIDEST

READERS: dict[str, Callable[[Any], Iterator[Sentence]]] = {"conllu": read_conllu, "conllx": read_conllx}


def command(
    model: ModelPath,
    files: Annotated[list[str] | None, typer.Argument(help="Tagged sentences; standard input if none is given or for -.", metavar="FILE")] = None,
    output_file: Output = "-",
    input_format: Annotated[str, typer.Option("--input", help=f"The format of the input: {' or '.join(READERS)}.", metavar="FORMAT")] = "conllu",
    threads: Threads = 1,
    beam: Annotated[int | None, typer.Option(min=1, max=WIDEST, help="Follow so many derivations side by side.", show_default="as in training")] = None,
    kbest: Annotated[int, typer.Option(min=1, help="Write the best K parses of each sentence, as far as the beam has so many.", metavar="K")] = 1,
) -> None:
    """Parse tagged sentences.

    HEAD and DEPREL are filled in, every sentence gets one tree; all other columns, comments, multiword tokens and empty nodes leave as they came. With --kbest
    every sentence comes several times, the best parse first, with its rank and score in the comments `# parse` and `# score`.

    Examples: gardenpath parse -m en.gp tagged.conllu -o parsed.conllu; gardenpath parse -m en.gp --beam 8 --kbest 3 tagged.conllu
    """
    if input_format not in READERS:
        raise UsageError(f"no input format is called {input_format!r}; there are {', '.join(READERS)}")
    parser = models.load(model)
    sentences = chain.from_iterable(READERS[input_format](name) for name in files or ["-"])
    with output(output_file) as target:
        for sentence in parser.stream(sentences, threads, beam) if kbest == 1 else best_parses(parser, sentences, kbest, beam):
            target.write(sentence.to_conllu())


def best_parses(model: models.Model, sentences: Iterable[Sentence], k: int, beam: int | None) -> Iterator[Sentence]:
    """The k best parses of each sentence, one after the other; comments tell rank and score."""
    for sentence in sentences:
        for rank, (score, parse) in enumerate(model.kbest(sentence, k, beam), 1):
            parse.comments += [f"# parse = {rank}", f"# score = {score:.6g}"]
            yield parse
