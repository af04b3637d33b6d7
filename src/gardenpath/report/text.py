"""Text with a little markup, `code` between backquotes and *emphasis* between stars, which each format writes in its own way."""

from __future__ import annotations

import re
from collections.abc import Callable

MARKUP = re.compile(r"`([^`]+)`|\*([^*`]+)\*")

Writer = Callable[[str], str]


def convert(text: str, plain: Writer, code: Writer, emphasis: Writer) -> str:
    """Write each piece of a text as the format has it."""
    pieces, end = [], 0
    for found in MARKUP.finditer(text):
        pieces.append(_written(text[end:found.start()], plain))
        pieces.append(code(found[1]) if found[1] else emphasis(found[2]))
        end = found.end()
    return "".join([*pieces, _written(text[end:], plain)])


def _written(piece: str, plain: Writer) -> str:
    """A piece of plain text; spaces at its ends are those between it and its neighbours."""
    before, after = piece[:1].isspace(), piece[-1:].isspace()
    return f"{' ' if before else ''}{plain(piece.strip())}{' ' if after and piece.strip() else ''}"
