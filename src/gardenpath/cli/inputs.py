"""What commands are given: text or CoNLL-U, judged by how it begins."""

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
    """What the sources hold, judged by how they begin."""
    kinds = {source: CONLLU if looks_like_conllu(_beginning(source)) else TEXT for source in sources}
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
