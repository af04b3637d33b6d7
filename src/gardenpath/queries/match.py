"""Matches: which words of a sentence the nodes and edges of a pattern are."""

from __future__ import annotations

from typing import NamedTuple

from gardenpath.errors import UsageError
from gardenpath.formats.document import Sentence, Word
from gardenpath.queries.pattern import Pattern
from gardenpath.queries.syntax import ANCHOR


class Edge(NamedTuple):
    """An edge of a match. The head of the root is a word with the id 0."""

    head: Word
    dependent: Word

    @property
    def label(self) -> str:
        """The relation, DEPREL."""
        return self.dependent.deprel


class Match:
    """A match of a pattern in a sentence.

    `match["V"]` is the word of the node V, `match.edges["e"]` the edge e. `ids` are the ids of all nodes, by name.
    """

    __slots__ = ("sentence", "pattern", "_ids")

    def __init__(self, pattern: Pattern, sentence: Sentence, ids: tuple[int, ...]) -> None:
        self.pattern, self.sentence, self._ids = pattern, sentence, ids

    @property
    def ids(self) -> dict[str, int]:
        """The ids of the words by the names of their nodes; 0 is the head of the root."""
        return dict(zip(self.pattern.nodes, self._ids, strict=True))

    @property
    def nodes(self) -> dict[str, Word]:
        """The words by the names of their nodes."""
        return {name: self._word(number) for name, number in self.ids.items()}

    @property
    def edges(self) -> dict[str, Edge]:
        """The named edges."""
        return {name: Edge(self[head], self[dependent]) for name, (head, dependent) in self.pattern.edges.items()}

    @property
    def arcs(self) -> list[tuple[int, int]]:
        """All edges of the pattern as (head, dependent), with or without a name."""
        ids = self.ids
        return [(ids[head], ids[dependent]) for head, dependent in self.pattern.arcs]

    @property
    def words(self) -> list[Word]:
        """The matched words in the order of the sentence."""
        return [self.sentence.words[number - 1] for number in sorted(set(self._ids)) if number]

    def value(self, key: str) -> str | None:
        """Return the value of a key such as `V.lemma` or `e.label`, or None if it is undefined (see `Key`)."""
        from gardenpath.queries.keys import Key

        return Key(key, self.pattern).of(self)

    def to_svg(self) -> str:
        """Draw the tree as SVG, with the match highlighted."""
        from gardenpath.queries.output import picture

        return picture(self)

    def __str__(self) -> str:
        """Return the sentence with the matched words marked: `[S Dogs] [V bark].`"""
        from gardenpath.queries.marking import marked_text

        return marked_text(self)

    def __getitem__(self, name: str) -> Word:
        try:
            return self._word(self._ids[self.pattern.nodes.index(name)])
        except ValueError:
            known = ", ".join(self.pattern.nodes) or "none"
            raise UsageError(f"the pattern has no node {name!r}; its nodes are: {known}") from None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Match):
            return NotImplemented
        same = self.sentence is other.sentence and self.pattern.nodes == other.pattern.nodes
        return same and self._ids == other._ids

    __hash__ = None  # type: ignore[assignment]  # sentences are mutable

    def __repr__(self) -> str:
        found = ", ".join(f"{name}={word.form}" for name, word in self.nodes.items())
        return f"<Match {found} in {self.sentence.where}>"

    def _word(self, number: int) -> Word:
        return self.sentence.words[number - 1] if number else Word(0, ANCHOR)
