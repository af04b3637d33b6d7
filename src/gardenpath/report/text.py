"""Text with simple markup, `code` between backquotes and *emphasis* between stars, converted by each format."""

from __future__ import annotations

import re
from collections.abc import Callable

MARKUP = re.compile(r"`([^`]+)`|\*([^*`]+)\*")

Writer = Callable[[str], str]


def convert(text: str, plain: Writer, code: Writer, emphasis: Writer) -> str:
    """Convert each piece of a text with the writers of a format."""
    pieces, end = [], 0
    for found in MARKUP.finditer(text):
        pieces.append(_written(text[end:found.start()], plain))
        pieces.append(code(found[1]) if found[1] else emphasis(found[2]))
        end = found.end()
    return "".join([*pieces, _written(text[end:], plain)])


def _written(piece: str, plain: Writer) -> str:
    """Convert a piece of plain text, keeping one space at either end if there was any."""
    before, after = piece[:1].isspace(), piece[-1:].isspace()
    return f"{' ' if before else ''}{plain(piece.strip())}{' ' if after and piece.strip() else ''}"
