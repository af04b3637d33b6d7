"""Find where an input can be cut without splitting a paragraph, a line or a sentence, reading only near a position."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from gardenpath.corpus.inputs import TEXTS
from gardenpath.formats.text import BLANK_LINE, LONGEST

Read = Callable[[int, int], bytes]       # (position, size) -> bytes; fewer at the end of the input
WINDOW = 1 << 16
_LINE = re.compile(r"\n\s*\S[^\n]*\n(?:[^\S\n]*\n)*(?=[^\S\n]*\S)")         # a whole line and the blank lines below it
_SENTENCE_END = re.compile(rb"\n\r?\n(?:\r?\n)*")


class Cut(NamedTuple):
    """A position to cut at, and whether the text after it begins in the middle of a paragraph."""

    position: int
    continues: bool = False


def cut_after(read: Read, place: int, kind: str) -> Cut | None:
    """Return the first good cut after `place`, or None if there is none before the end."""
    size = WINDOW
    while True:
        window = read(place, size)
        whole = len(window) < size
        found = _FINDERS[kind](window if whole else window[: window.rfind(b"\n") + 1])
        if found is None and kind in TEXTS and len(window) >= LONGEST:
            found = _anywhere(window)
        if found is not None:
            cut = Cut(place + found.position, found.continues)
            return cut if read(cut.position, 1) else None
        if whole:
            return None
        size *= 2


def _paragraph(window: bytes) -> Cut | None:
    text = _decoded(window)
    found = BLANK_LINE.search(text)
    return Cut(_length(text[: found.end()])) if found else None


def _line(window: bytes) -> Cut | None:
    text = _decoded(window)
    found = _LINE.search(text)
    if found is None:
        return None
    breaks = text.count("\n", len(text[: found.end()].rstrip()), found.end())
    return Cut(_length(text[: found.end()]), breaks < 2)


def _json_line(window: bytes) -> Cut | None:
    end = window.find(b"\n") + 1
    return Cut(end) if end else None


def _sentence(window: bytes) -> Cut | None:
    found = _SENTENCE_END.search(window)
    return Cut(found.end()) if found else None


def _anywhere(window: bytes) -> Cut:
    """Cut a very long paragraph after a line, after a space, or at least between two characters."""
    end = next((found for separator in (b"\n", b" ") if (found := window.find(separator) + 1)), 1)
    while window[end] & 0xC0 == 0x80:        # the middle of a character
        end += 1
    return Cut(end, True)


_FINDERS: dict[str, Callable[[bytes], Cut | None]] = {
    "text": _paragraph,
    "lines": _line,
    "tokens": _line,
    "jsonl": _json_line,
    "conllu": _sentence,
}


def _decoded(content: bytes) -> str:
    """Decode to text that can be encoded to the same bytes, though it may begin or end in the middle of a character."""
    return content.decode("utf-8", "surrogateescape")


def _length(text: str) -> int:
    return len(text.encode("utf-8", "surrogateescape"))
