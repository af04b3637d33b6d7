"""UDPipe's formats other than CoNLL-U (horizontal, vertical, plaintext, matxin, epe), read and written by `ufal.udpipe`, from and to CoNLL-U.

A format is named with its options behind it, joined by `;`, as UDPipe has it: `horizontal=paragraphs`. Only options that are known here reach the library,
since it takes the value `file:...` of any option for the name of a file to read.
"""

from __future__ import annotations

import re
from itertools import groupby

from ufal.udpipe import InputFormat, OutputFormat, ProcessingError  # type: ignore[import-untyped]
from ufal.udpipe import Sentence as UdpipeSentence

from gardenpath.errors import InputError
from gardenpath.formats.conllu import BOM

INPUTS: dict[str, tuple[str, ...]] = {"generic_tokenizer": ("normalized_spaces", "presegmented", "ranges"), "horizontal": (), "vertical": ()}
OUTPUTS: dict[str, tuple[str, ...]] = {
    "conllu": ("v1", "v2"), "epe": (), "horizontal": ("paragraphs",), "matxin": (), "plaintext": ("normalized_spaces",), "vertical": ("paragraphs",),
}

LONGEST_RUN = 200        # ASCII characters without a space that UDPipe's generic tokenizer is given
_RUN = re.compile("[!-~]+")
_WORD = re.compile("[^ \t]+")
_LINE_END = re.compile("\r\n|\r|\n")


def options_of(text: str) -> set[str]:
    """The names of options that are joined by `;`, whatever values they have."""
    return {option.partition("=")[0].strip() for option in text.split(";")}


def known_format(format: str, formats: dict[str, tuple[str, ...]]) -> str | None:
    """The format with those options that it has, in a fixed order; None if there is no such format. Options that are not known do nothing in UDPipe either."""
    name, _, options = format.partition("=")
    if name not in formats:
        return None
    given = options_of(options)
    kept = ";".join(option for option in formats[name] if option in given)
    return f"{name}={kept}" if kept else name


def longest_sentence(text: str, format: str) -> int:
    """How many words the longest sentence has, in the formats where that can be told without reading them."""
    lines = _LINE_END.split(text)
    if format == "horizontal":
        return max(len(_WORD.findall(line)) for line in lines)
    if format == "vertical":
        return max(sum(1 for _ in group) if filled else 0 for filled, group in groupby(lines, _is_filled))
    return 0


def to_conllu(text: str, format: str) -> str:
    """A text in one of the formats `INPUTS` as CoNLL-U. The GIL is held while a sentence is read, so see first that none is too long."""
    if format.startswith("generic_tokenizer"):
        _check_runs(text)
    return _convert(text, InputFormat.newInputFormat(format), OutputFormat.newConlluOutputFormat(), f"Cannot parse the input in '{format}' format.")


def from_conllu(text: str, format: str) -> str:
    """Sentences in CoNLL-U, in one of the formats `OUTPUTS`."""
    lines = text.removeprefix(BOM).replace("\r\n", "\n")
    return _convert(lines, InputFormat.newConlluInputFormat(), OutputFormat.newOutputFormat(format), f"Cannot write the output in '{format}' format.")


def _is_filled(line: str) -> bool:
    return line.strip("\t") != ""


def _check_runs(text: str) -> None:
    """Refuse what would take UDPipe's generic tokenizer quadratic time."""
    for run in _RUN.finditer(text):
        if run.end() - run.start() > LONGEST_RUN:
            problem = f"{run.end() - run.start():,} characters without a space, from character {run.start() + 1} on; {LONGEST_RUN} is the most for this format"
            raise InputError(f"Cannot parse the input in 'generic_tokenizer' format. {problem}: use the tokenizer of a model.")


def _convert(text: str, reader: InputFormat, writer: OutputFormat, problem: str) -> str:
    reader.setText(text.replace("\0", "\N{REPLACEMENT CHARACTER}"))      # a NUL would end the text
    sentence, error = UdpipeSentence(), ProcessingError()
    parts = []
    while reader.nextSentence(sentence, error):
        parts.append(writer.writeSentence(sentence))
    if error.occurred():
        raise InputError(f"{problem} {error.message}")
    return "".join(parts) + writer.finishDocument()
