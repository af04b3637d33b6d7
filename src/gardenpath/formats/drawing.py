"""What pictures of trees have in common: the arcs that can be drawn, the direction of the script, characters that can be shown."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from gardenpath.formats.document import EMPTY, Sentence

# What XML forbids; other formats cannot show it either.
_UNSHOWABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Arc(NamedTuple):
    """An arc between two words; its label is empty where DEPREL is `_`."""

    head: int
    dependent: int
    label: str

    @property
    def first(self) -> int:
        """The word at its end that comes first in the sentence."""
        return min(self.head, self.dependent)

    @property
    def last(self) -> int:
        """The word at its end that comes last in the sentence."""
        return max(self.head, self.dependent)


def arcs(sentence: Sentence) -> list[Arc]:
    """The arcs between words, in the order of the dependents; a head that is missing, the word itself or beyond the sentence gives none."""
    size = len(sentence)
    return [
        Arc(word.head, word.id, shown(word.deprel)) for word in sentence
        if word.head is not None and 1 <= word.head <= size and word.head != word.id
    ]


def root_arcs(sentence: Sentence) -> list[Arc]:
    """The arcs from word 0, the root."""
    return [Arc(0, word.id, shown(word.deprel)) for word in sentence if word.head == 0]


def shown(column: str) -> str:
    """A column as pictures show it: nothing where it is empty, and U+FFFD for characters that cannot be shown."""
    return "" if column == EMPTY else showable(column)


def showable(text: str) -> str:
    """The text with U+FFFD for control characters, lone surrogates and whatever else XML forbids."""
    return _UNSHOWABLE.sub("\ufffd", text)


def plain_text(sentence: Sentence) -> str:
    """The text of the sentence; where no comment gives it, the forms of its tokens."""
    return showable(sentence.text or " ".join(token.form for token in sentence.tokens))


def is_right_to_left(sentence: Sentence) -> bool:
    """Whether more characters of the forms run from right to left than from left to right."""
    kinds = [unicodedata.bidirectional(character) for word in sentence for character in word.form]
    return sum(kind in ("R", "AL") for kind in kinds) > kinds.count("L")
