"""`gardenpath parse`: parse text or sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from gardenpath import models
from gardenpath.cli import convert
from gardenpath.cli.inputs import CONLLU, TEXT, kind_of
from gardenpath.cli.options import Columns, ModelName, Output, TableRows, Threads, binary_output, table_options
from gardenpath.errors import UsageError
from gardenpath.formats import registry
from gardenpath.formats.confidence import with_confidence
from gardenpath.formats.document import Sentence
from gardenpath.formats.text import read_pieces
from gardenpath.parsing.parser import MAX_BEAM
from gardenpath.pipeline.pipeline import INPUTS

AUTO = "auto"


def command(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE", help="Input files; - or no file reads standard input.")
    ] = None,
    model: ModelName = "en",
    output_file: Output = "-",
    output_format: Annotated[
        str | None,
        typer.Option(
            "--to", metavar="FORMAT", help="Output format; see `gardenpath convert`.",
            show_default="from the file extension, or conllu",
        ),
    ] = None,
    input_format: Annotated[
        str,
        typer.Option(
            "--input", "-i", metavar="KIND",
            help="Input format: `text`; `lines` (one sentence per line); `tokens` (one sentence per line, tokens "
            "separated by spaces); `conllu` or another format that `gardenpath convert` reads. `auto` detects `conllu` "
            "and otherwise uses `text`.",
        ),
    ] = AUTO,
    threads: Threads = 1,
    columns: Columns = None,
    rows: TableRows = None,
    ranges: Annotated[
        bool,
        typer.Option("--ranges", help="Text input: write the character offsets of tokens as TokenRange in MISC."),
    ] = False,
    confidence: Annotated[
        bool, typer.Option("--confidence", help="Write the confidence of the words to MISC, as ConfHead=0.9731.")
    ] = False,
    retag: Annotated[
        bool, typer.Option("--retag", help="CoNLL-U input: replace existing tags and lemmas by predicted ones.")
    ] = False,
    beam: Annotated[
        int | None,
        typer.Option(
            min=1, max=MAX_BEAM, help="Beam size; 1 is greedy search. For models trained with a beam.",
            show_default="as in training",
        ),
    ] = None,
    kbest: Annotated[
        int, typer.Option(min=1, metavar="K", help="Write the K best parses of each sentence; needs a beam.")
    ] = 1,
) -> None:
    """Parse text, or sentences in CoNLL-U.

    Text is split into sentences, tokenized, tagged and parsed. In CoNLL-U input, HEAD and DEPREL are filled in, and
    also tags and lemmas if a sentence has no tags. All other columns, comments, multi-word tokens and empty nodes stay
    unchanged. Every sentence gets exactly one tree. With --kbest, each sentence is written several times, the best
    parse first. The comments `# parse` and `# score` give rank and score.

    Examples: echo "She gave him a book." | gardenpath parse; gardenpath parse -m my.gp -t 2 notes.txt -o notes.conllu;
    gardenpath parse tagged.conllu --to json; gardenpath parse notes.txt -o notes.xlsx
    """
    kinds = (AUTO, *INPUTS, *registry.readable())
    if input_format not in kinds:
        raise UsageError(f"unknown input format {input_format!r}; choose one of {', '.join(kinds)}")
    sources = files or ["-"]
    for source in sources:
        if " " in source and not Path(source).exists():
            remedy = 'pass text on standard input: echo "I saw her." | gardenpath parse'
            raise UsageError(f"the file {source!r} does not exist; {remedy}")
    written = output_format or _format_of(output_file)
    options = table_options(columns, rows)
    registry.check_options(written, options)
    parser = models.load(model)
    kind = kind_of(sources) if input_format == AUTO else input_format
    if ranges and kind not in INPUTS:
        raise UsageError(f"--ranges needs text input, not {kind}; leave it out")
    if retag and kind in INPUTS:
        raise UsageError(f"--retag needs input with columns, such as CoNLL-U, not {kind}; leave it out")
    if confidence and kbest > 1:
        raise UsageError("--confidence needs a single parse of each sentence; leave out --kbest")
    if confidence and not parser.is_calibrated:
        raise UsageError(f"--confidence needs a calibrated model; calibrate {model} first (`gardenpath calibrate`)")
    # With --kbest, the first parse only provides words and tags, so greedy search is enough.
    first = beam if kbest == 1 else 1
    if kind in INPUTS:
        pieces = chain.from_iterable(read_pieces(source, by_line=kind != TEXT) for source in sources)
        if written == CONLLU and kbest == 1:
            with binary_output(output_file) as target:
                parts = parser.to_conllu(pieces, threads, input=kind, ranges=ranges, confidence=confidence, beam=beam)
                for part in parts:
                    target.write(part)
            return
        parsed = parser.to_sentences(
            pieces, threads, input=kind, ranges=ranges, confidence=confidence, beam=first,
        )
    else:
        sentences = chain.from_iterable(registry.read(source, kind) for source in sources)
        parsed = parser.stream(sentences, threads, first, retag=retag)
        if confidence:
            parsed = map(confidence_in_misc, parsed)
    found = parsed if kbest == 1 else best_parses(parser, parsed, kbest, beam)
    convert.write(found, output_file, written, **options)


def confidence_in_misc(sentence: Sentence) -> Sentence:
    """Write the confidence of the words of a sentence to MISC, in place."""
    for word in sentence:
        word.misc = with_confidence(word.misc, word.confidence)
    return sentence


def best_parses(model: models.Model, sentences: Iterable[Sentence], k: int, beam: int | None) -> Iterator[Sentence]:
    """Yield the k best parses of each sentence, with rank and score as comments."""
    for sentence in sentences:
        for rank, (score, parse) in enumerate(model.kbest(sentence, k, beam), 1):
            parse.comments += [f"# parse = {rank}", f"# score = {score:.6g}"]
            yield parse


def _format_of(path: str) -> str:
    """Return the format of this file extension, or CoNLL-U if the file has none.

    An extension without a format that can represent trees is an error.
    """
    if not Path(path).suffix:
        return CONLLU
    found = registry.named(convert.format_of(path, "--to"))
    if not registry.is_for_trees(found):
        problem = f"{path}: {found.title} cannot be written or cannot represent trees"
        raise UsageError(f"{problem}; choose another extension, or name the format with --to")
    return found.name
