"""`gardenpath parse`: from text, or from tagged sentences, to trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from gardenpath import models
from gardenpath.cli import convert
from gardenpath.cli.inputs import CONLLU, TEXT, kind_of
from gardenpath.cli.options import ModelName, Output, Threads, binary_output
from gardenpath.errors import UsageError
from gardenpath.formats import registry
from gardenpath.formats.document import Sentence
from gardenpath.formats.text import read_pieces
from gardenpath.pipeline.pipeline import INPUTS
from gardenpath.search.parser import MAX_BEAM

AUTO = "auto"


def command(
    files: Annotated[list[str] | None, typer.Argument(help="What to parse; standard input if none is given or for -.", metavar="FILE")] = None,
    model: ModelName = "en",
    output_file: Output = "-",
    output_format: Annotated[
        str | None,
        typer.Option("--to", metavar="FORMAT", help="The format to write, as for `gardenpath convert`.", show_default="by the output's ending, or conllu"),
    ] = None,
    input_format: Annotated[
        str,
        typer.Option(
            "--input", "-i", metavar="KIND",
            help="What is given: running `text`; `lines`, a sentence each; `tokens`, such lines with a space between tokens; words with columns, in `conllu` "
            "or another format that `gardenpath convert` reads. `auto` is `conllu` for what begins like it and `text` for all else.",
        ),
    ] = AUTO,
    threads: Threads = 1,
    ranges: Annotated[bool, typer.Option("--ranges", help="Tell the place of each token in its text: TokenRange=start:end in MISC.")] = False,
    retag: Annotated[bool, typer.Option("--retag", help="Words with columns: predict tags and lemmas, though there are some.")] = False,
    beam: Annotated[
        int | None,
        typer.Option(min=1, max=MAX_BEAM, help="Follow so many derivations side by side; for models trained so.", show_default="as in training"),
    ] = None,
    kbest: Annotated[int, typer.Option(min=1, help="Write the best K parses of each sentence, as far as the beam has so many.", metavar="K")] = 1,
) -> None:
    """Parse text, or sentences in CoNLL-U, to CoNLL-U or another format.

    Text is divided into sentences and words, tagged and parsed. Of sentences that come in CoNLL-U, HEAD and DEPREL are filled in, and tags and lemmas where a
    sentence has no tags; all other columns, comments, multiword tokens and empty nodes leave as they came. Every sentence gets one tree. With --kbest every
    sentence comes several times, the best parse first, with its rank and score in the comments `# parse` and `# score`.

    Examples: echo "I saw Jack and Jill fall." | gardenpath parse; gardenpath parse -m my.gp -t 2 notes.txt -o notes.conllu; gardenpath parse tagged.conllu
    --to json; gardenpath parse notes.txt -o notes.svg
    """
    kinds = (AUTO, *INPUTS, *registry.readable())
    if input_format not in kinds:
        raise UsageError(f"no input is called {input_format!r}; there are {', '.join(kinds)}")
    sources = files or ["-"]
    for source in sources:
        if " " in source and not Path(source).exists():
            raise UsageError(f'no file is called {source!r}; text that is not in a file comes by standard input: echo "I saw her." | gardenpath parse')
    written = output_format or _by_ending(output_file)
    parser = models.load(model)
    kind = kind_of(sources) if input_format == AUTO else input_format
    if ranges and kind not in INPUTS:
        raise UsageError(f"--ranges is for text: the tokens of {kind} have no place in one")
    if retag and kind in INPUTS:
        raise UsageError(f"--retag is for words with columns, in CoNLL-U or another format, not for {kind}")
    first = beam if kbest == 1 else 1            # who wants the best K wants the words and tags of this parse, no more
    if kind in INPUTS:
        pieces = chain.from_iterable(read_pieces(source, by_line=kind != TEXT) for source in sources)
        if written == CONLLU and kbest == 1:
            with binary_output(output_file) as target:
                for part in parser.to_conllu(pieces, threads, input=kind, ranges=ranges, beam=beam):
                    target.write(part)
            return
        parsed = parser.to_sentences(pieces, threads, input=kind, ranges=ranges, beam=first)
    else:
        parsed = parser.stream(chain.from_iterable(registry.read(source, kind) for source in sources), threads, first, retag=retag)
    convert.write(parsed if kbest == 1 else best_parses(parser, parsed, kbest, beam), output_file, written)


def best_parses(model: models.Model, sentences: Iterable[Sentence], k: int, beam: int | None) -> Iterator[Sentence]:
    """The k best parses of each sentence, one after the other; comments tell rank and score."""
    for sentence in sentences:
        for rank, (score, parse) in enumerate(model.kbest(sentence, k, beam), 1):
            parse.comments += [f"# parse = {rank}", f"# score = {score:.6g}"]
            yield parse


def _by_ending(path: str) -> str:
    """The format that files with this ending have; CoNLL-U if that is none, or has no place for trees."""
    found = registry.by_ending(path)
    return found.name if found and registry.is_for_trees(found) else CONLLU
