"""The text of a sentence with the words of a match marked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gardenpath.formats.conllu import items_of
from gardenpath.formats.document import Token, Word
from gardenpath.formats.drawing import showable
from gardenpath.formats.svg import Marks
from gardenpath.queries.match import Match


class Piece(NamedTuple):
    """A piece of text. A marked word has the names of its nodes, other text has an empty name."""

    text: str
    name: str


def names(match: Match) -> dict[int, str]:
    """Return the names of the nodes by the ids of the words; `V, W$` if a word is several nodes."""
    found: dict[int, str] = {}
    for name, number in match.ids.items():
        if number:
            found[number] = f"{found[number]}, {name}" if number in found else name
    return found


def marks(match: Match) -> Marks:
    """Return what a picture of the match highlights."""
    return Marks(names(match), frozenset(dependent for _, dependent in match.arcs))


def pieces(match: Match) -> Iterator[Piece]:
    """Yield the text of the sentence in pieces.

    A multi-word token with a marked word is followed by its words in brackets.
    """
    named = names(match)
    for token in match.sentence.tokens:
        if isinstance(token, Word):
            yield Piece(showable(token.form), named.get(token.id, ""))
        else:
            yield Piece(showable(token.form), "")
            yield from _expanded(match, token, named)
        if items_of(token.misc).get("SpaceAfter") != "No":
            yield Piece(" ", "")


def marked_text(match: Match) -> str:
    """Return the text with the marked words in brackets: `[S She] [V gave] him a book.`"""
    return "".join(f"[{name} {text}]" if name else text for text, name in pieces(match)).rstrip()


def _expanded(match: Match, token: Token, named: dict[int, str]) -> Iterator[Piece]:
    words = match.sentence.words[token.first - 1 : token.last]
    if not any(word.id in named for word in words):
        return
    for i, word in enumerate(words):
        yield Piece(" " if i else "(", "")
        yield Piece(showable(word.form), named.get(word.id, ""))
    yield Piece(")", "")
