"""Words of a sentence with their text and their place in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, overload

from gardenpath.formats.spacing import covered

if TYPE_CHECKING:
    from gardenpath.formats.document import Sentence
    from gardenpath.formats.nodes import Word


class Span(Sequence["Word"]):
    """Some words of a sentence, in order: a slice of it, or a subtree. The words of a subtree can have gaps."""

    __slots__ = ("sentence", "words")

    def __init__(self, sentence: Sentence, words: list[Word]) -> None:
        self.sentence = sentence
        self.words = words

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[Word]:
        return iter(self.words)

    @overload
    def __getitem__(self, index: int) -> Word: ...
    @overload
    def __getitem__(self, index: slice) -> Span: ...
    def __getitem__(self, index: int | slice) -> Word | Span:
        found = self.words[index]
        return Span(self.sentence, found) if isinstance(found, list) else found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Span) and self.sentence is other.sentence and self._ids == other._ids

    __hash__ = None  # type: ignore[assignment]  # words are mutable

    def __repr__(self) -> str:
        return f"<Span: {self.text}>"

    @property
    def _ids(self) -> list[int]:
        return [word.id for word in self.words]

    @property
    def text(self) -> str:
        """The text with its spaces. Where words are left out, there is one space.

        If only some words of a multi-word token are in the span, their own forms are used.
        """
        return " ".join(covered(self.sentence, piece.words).text for piece in self.pieces)

    @property
    def start(self) -> int | None:
        """The offset of the first character in the text that was parsed, as in `Word`; None if it is unknown."""
        return min((word.start for word in self.words if word.start is not None), default=None)

    @property
    def end(self) -> int | None:
        """The offset after the last character in the text that was parsed, as in `Word`; None if it is unknown."""
        return max((word.end for word in self.words if word.end is not None), default=None)

    @property
    def offsets(self) -> tuple[int, int] | None:
        """The offsets of the first character and after the last one in `sentence.text`.

        They are None for an empty span, and if the comment `# text` is not the text of the tokens.
        """
        return covered(self.sentence, self.words).offsets if self.words else None

    @property
    def is_continuous(self) -> bool:
        """Whether no word is left out between the first word and the last."""
        return not self.words or self.words[-1].id - self.words[0].id == len(self) - 1

    @property
    def pieces(self) -> list[Span]:
        """The continuous parts."""
        groups = groupby(enumerate(self.words), key=lambda pair: pair[1].id - pair[0])
        return [Span(self.sentence, [word for _, word in group]) for _, group in groups]

    @property
    def root(self) -> Word | None:
        """The first word whose head is not in the span, or None if the span is empty."""
        inside = set(self._ids)
        return next((word for word in self.words if word.head not in inside), None)
