"""Shared parts of all tree drawings: arcs that can be drawn, writing direction, printable characters."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from gardenpath.formats.document import EMPTY, Sentence

# Characters that XML forbids. Other formats cannot display them either.
_UNSHOWABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Arc(NamedTuple):
    """An arc between two words. The label is empty if DEPREL is `_`."""

    head: int
    dependent: int
    label: str

    @property
    def first(self) -> int:
        """The leftmost of the two words."""
        return min(self.head, self.dependent)

    @property
    def last(self) -> int:
        """The rightmost of the two words."""
        return max(self.head, self.dependent)


def arcs(sentence: Sentence) -> list[Arc]:
    """Return the arcs between words, ordered by dependent.

    A word has no arc if its head is missing, is the word itself, or is outside the sentence.
    """
    size = len(sentence)
    return [
        Arc(word.head, word.id, shown(word.deprel)) for word in sentence
        if word.head is not None and 1 <= word.head <= size and word.head != word.id
    ]


def root_arcs(sentence: Sentence) -> list[Arc]:
    """Return the arcs from word 0, the root."""
    return [Arc(0, word.id, shown(word.deprel)) for word in sentence if word.head == 0]


def shown(column: str) -> str:
    """Return a column for display: an empty string for `_`, with unprintable characters replaced by U+FFFD."""
    return "" if column == EMPTY else showable(column)


def showable(text: str) -> str:
    """Replace control characters, lone surrogates and all other characters that XML forbids by U+FFFD."""
    return _UNSHOWABLE.sub("\ufffd", text)


def plain_text(sentence: Sentence) -> str:
    """Return the text of the sentence, or the forms of its tokens if it has no `text` comment."""
    return showable(sentence.text)


def is_right_to_left(sentence: Sentence) -> bool:
    """Return whether the forms have more right-to-left than left-to-right characters."""
    kinds = [unicodedata.bidirectional(character) for word in sentence for character in word.form]
    return sum(kind in ("R", "AL") for kind in kinds) > kinds.count("L")
