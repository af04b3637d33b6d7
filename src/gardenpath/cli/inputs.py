"""Detect whether an input is text or CoNLL-U."""

from __future__ import annotations

import io
import re
import sys

from gardenpath.errors import UsageError
from gardenpath.formats.conllu import BOM, source_name

CONLLU, TEXT = "conllu", "text"
_PEEK = 1 << 16
_COMMENT = re.compile(rb"# *(newdoc|newpar|(sent_id|text) *=)")


def kind_of(sources: list[str]) -> str:
    """Return the format of the sources, detected from their first bytes; all must have the same format."""
    kinds = {source: CONLLU if looks_like_conllu(_beginning(source)) else TEXT for source in sources}
    if len(set(kinds.values())) > 1:
        found = ", ".join(f"{source_name(source)} is {kind}" for source, kind in kinds.items())
        raise UsageError(f"the inputs have different formats ({found}); parse them separately, or set --input")
    return kinds[sources[0]]


def _beginning(source: str) -> bytes:
    if source == "-":
        # sys.stdin.buffer is a BufferedReader, but its declared type has no peek.
        return io.BufferedReader.peek(sys.stdin.buffer, _PEEK)      # type: ignore[arg-type]
    with open(source, "rb") as file:
        return file.read(_PEEK)


def looks_like_conllu(beginning: bytes) -> bool:
    """Return whether the first line that is not a comment has ten columns.

    If all lines are comments, return whether the first one is a typical comment of CoNLL-U.
    """
    content = beginning.removeprefix(BOM.encode()).lstrip(b"\r\n")
    first = next((line for line in content.splitlines() if not line.startswith(b"#")), None)
    if first is None:
        return _COMMENT.match(content) is not None
    return first[:1].isdigit() and first.count(b"\t") == 9
