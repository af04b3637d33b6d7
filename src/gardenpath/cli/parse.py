"""`gardenpath parse`: from text, or from tagged sentences, to trees."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Annotated

import typer

from gardenpath import models
from gardenpath.cli.options import ModelName, Output, Threads, binary_output
from gardenpath.document import Sentence
from gardenpath.errors import UsageError
from gardenpath.formats import registry
from gardenpath.formats.conllu import BOM, source_name
from gardenpath.formats.text import read_pieces
from gardenpath.search import WIDEST
from gardenpath.text.pipeline import INPUTS

AUTO = "auto"
_PEEK = 1 << 16
_COMMENT = re.compile(rb"# *(newdoc|newpar|(sent_id|text) *=)")


def command(
    files: Annotated[list[str] | None, typer.Argument(help="What to parse; standard input if none is given or for -.", metavar="FILE")] = None,
    model: ModelName = "en",
    output_file: Output = "-",
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
    beam: Annotated[int | None, typer.Option(min=1, max=WIDEST, help="Follow so many derivations side by side.", show_default="as in training")] = None,
    kbest: Annotated[
        int, typer.Option(min=1, help="Words with columns: write the best K parses of each sentence, as far as the beam has so many.", metavar="K")
    ] = 1,
) -> None:
    """Parse text, or sentences in CoNLL-U, to CoNLL-U.

    Text is divided into sentences and words, tagged and parsed. Of sentences that come in CoNLL-U, HEAD and DEPREL are filled in, and tags and lemmas where a
    sentence has no tags; all other columns, comments, multiword tokens and empty nodes leave as they came. Every sentence gets one tree. With --kbest every
    sentence comes several times, the best parse first, with its rank and score in the comments `# parse` and `# score`.

    Examples: echo "I saw Jack and Jill fall." | gardenpath parse; gardenpath parse -m my.gp -t 2 notes.txt -o notes.conllu; gardenpath parse tagged.conllu
    """
    kinds = (AUTO, *INPUTS, *registry.readable())
    if input_format not in kinds:
        raise UsageError(f"no input is called {input_format!r}; there are {', '.join(kinds)}")
    parser = models.load(model)
    sources = files or ["-"]
    kind = _kind_of(sources) if input_format == AUTO else input_format
    _refuse_mismatch(kind, ranges=ranges, retag=retag, kbest=kbest > 1)
    with binary_output(output_file) as target:
        if kind not in INPUTS:
            sentences = chain.from_iterable(registry.read(source, kind) for source in sources)
            for sentence in parser.stream(sentences, threads, beam, retag=retag) if kbest == 1 else best_parses(parser, sentences, kbest, beam):
                target.write(sentence.to_conllu().encode())
        else:
            pieces = chain.from_iterable(read_pieces(source, by_line=kind != "text") for source in sources)
            for part in parser.to_conllu(pieces, threads, input=kind, ranges=ranges, beam=beam):
                target.write(part)


def best_parses(model: models.Model, sentences: Iterable[Sentence], k: int, beam: int | None) -> Iterator[Sentence]:
    """The k best parses of each sentence, one after the other; comments tell rank and score."""
    for sentence in sentences:
        for rank, (score, parse) in enumerate(model.kbest(sentence, k, beam), 1):
            parse.comments += [f"# parse = {rank}", f"# score = {score:.6g}"]
            yield parse


def _kind_of(sources: list[str]) -> str:
    """What the sources hold, judged by how they begin."""
    kinds = {source: "conllu" if looks_like_conllu(_beginning(source)) else "text" for source in sources}
    if len(set(kinds.values())) > 1:
        told = ", ".join(f"{source_name(source)} {kind}" for source, kind in kinds.items())
        raise UsageError(f"these are of several kinds: {told}; parse each kind by itself, or say which it is with --input")
    return kinds[sources[0]]


def _beginning(source: str) -> bytes:
    if source == "-":
        return io.BufferedReader.peek(sys.stdin.buffer, _PEEK)      # type: ignore[arg-type]  # that is what it is
    with open(source, "rb") as file:
        return file.read(_PEEK)


def looks_like_conllu(beginning: bytes) -> bool:
    """Is the first line that is no comment one of ten columns? If all are comments, do they begin as those of CoNLL-U do?"""
    content = beginning.removeprefix(BOM.encode()).lstrip(b"\r\n")
    first = next((line for line in content.splitlines() if not line.startswith(b"#")), None)
    if first is None:
        return _COMMENT.match(content) is not None
    return first[:1].isdigit() and first.count(b"\t") == 9


def _refuse_mismatch(kind: str, *, ranges: bool, retag: bool, kbest: bool) -> None:
    if ranges and kind not in INPUTS:
        raise UsageError(f"--ranges is for text: the tokens of {kind} have no place in one")
    for name, given in (("--retag", retag), ("--kbest", kbest)):
        if given and kind in INPUTS:
            raise UsageError(f"{name} is for words with columns, in CoNLL-U or another format, not for {kind}")
