"""Formats of UDPipe (horizontal, vertical, plaintext, matxin, epe), converted from and to CoNLL-U by `ufal.udpipe`.

As in UDPipe, options follow the name of a format and are joined by `;`: `horizontal=paragraphs`. Only known options are
passed to the library, because it would open the file named in any option value `file:...`.
"""

from __future__ import annotations

import re
from io import BytesIO
from itertools import groupby

from ufal.udpipe import InputFormat, OutputFormat, ProcessingError  # type: ignore[import-untyped]
from ufal.udpipe import Sentence as UdpipeSentence

from gardenpath.errors import InputError
from gardenpath.formats.conllu import BOM, read_conllu
from gardenpath.interruption import check
from gardenpath.trees import depth, find_problems

INPUTS: dict[str, tuple[str, ...]] = {
    "generic_tokenizer": ("normalized_spaces", "presegmented", "ranges"), "horizontal": (), "vertical": (),
}
OUTPUTS: dict[str, tuple[str, ...]] = {
    "conllu": ("v1", "v2"), "epe": (), "horizontal": ("paragraphs",), "matxin": (),
    "plaintext": ("normalized_spaces",), "vertical": ("paragraphs",),
}

LONGEST_RUN = 200        # maximum number of ASCII characters without a space for UDPipe's generic tokenizer
_RUN = re.compile("[!-~]+")
_WORD = re.compile("[^ \t]+")
DEEPEST = 1_000          # maximum depth of a tree for the Matxin writer, which is recursive
_LINE_END = re.compile("\r\n|\r|\n")


def options_of(text: str) -> set[str]:
    """Return the names of options joined by `;`, without their values."""
    return {option.partition("=")[0].strip() for option in text.split(";")}


def known_format(format: str, formats: dict[str, tuple[str, ...]]) -> str | None:
    """Return the format with its known options in a fixed order, or None if there is no such format.

    Unknown options are dropped; UDPipe ignores them as well.
    """
    name, _, options = format.partition("=")
    if name not in formats:
        return None
    given = options_of(options)
    kept = ";".join(option for option in formats[name] if option in given)
    return f"{name}={kept}" if kept else name


def longest_sentence(text: str, format: str) -> int:
    """Return the number of words of the longest sentence, or 0 for formats where it is not known before reading."""
    lines = _LINE_END.split(text)
    if format == "horizontal":
        return max(len(_WORD.findall(line)) for line in lines)
    if format == "vertical":
        return max(sum(1 for _ in group) if filled else 0 for filled, group in groupby(lines, _is_filled))
    return 0


def to_conllu(text: str, format: str) -> str:
    """Convert a text in one of the formats `INPUTS` to CoNLL-U.

    The library holds the GIL while it reads a sentence, so check first that no sentence is too long.
    """
    if format.startswith("generic_tokenizer"):
        _check_runs(text)
    problem = f"Cannot parse the input in '{format}' format."
    return _convert(text, InputFormat.newInputFormat(format), OutputFormat.newConlluOutputFormat(), problem)


def from_conllu(text: str, format: str) -> str:
    """Convert CoNLL-U to one of the formats `OUTPUTS`."""
    lines = text.removeprefix(BOM).replace("\r\n", "\n")
    problem = f"Cannot write the output in '{format}' format."
    if "\r" in lines:           # UDPipe's reader would never return
        line = lines.count("\n", 0, lines.index("\r")) + 1
        raise InputError(f"{problem} Line {line} has a carriage return (CR) that does not end the line; remove it.")
    if format == "matxin":
        _check_trees(lines, problem)
    return _convert(lines, InputFormat.newConlluInputFormat(), OutputFormat.newOutputFormat(format), problem)


def _check_trees(conllu: str, problem: str) -> None:
    """Raise an error for sentences that UDPipe's Matxin writer would leave out, or that overflow its stack."""
    for sentence in read_conllu(BytesIO(conllu.encode())):
        if any(head is not None and head > len(sentence) for head in sentence.heads):
            continue                     # the library itself reports it
        for found in find_problems(sentence.heads, single_root=False):
            raise InputError(f"{problem} {sentence.where}: {found.fault}; {found.remedy}.")
        levels = depth(sentence.heads)
        if levels > DEEPEST:
            raise InputError(f"{problem} {sentence.where}: the tree has {levels:,} levels; the limit is {DEEPEST:,}.")


def _is_filled(line: str) -> bool:
    return line.strip("\t") != ""


def _check_runs(text: str) -> None:
    """Raise an error for input on which UDPipe's generic tokenizer would take quadratic time."""
    for run in _RUN.finditer(text):
        if run.end() - run.start() > LONGEST_RUN:
            found = f"{run.end() - run.start():,} characters without a space, from character {run.start() + 1} on"
            raise InputError(
                f"Cannot parse the input in 'generic_tokenizer' format. It has {found}; the limit for this format is "
                f"{LONGEST_RUN}. Use the tokenizer of a model."
            )


def _convert(text: str, reader: InputFormat, writer: OutputFormat, problem: str) -> str:
    reader.setText(text.replace("\0", "\N{REPLACEMENT CHARACTER}"))      # UDPipe stops at a NUL
    sentence, error = UdpipeSentence(), ProcessingError()
    parts = []
    while reader.nextSentence(sentence, error):
        check()
        parts.append(writer.writeSentence(sentence))
    if error.occurred():
        raise InputError(f"{problem} {error.message}")
    return "".join(parts) + writer.finishDocument()
