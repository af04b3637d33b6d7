"""Sentences as columns of integers, in which several patterns can be searched."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from gardenpath.formats.document import EMPTY, Sentence
from gardenpath.queries.columns import Trees, numbers
from gardenpath.queries.features import surface
from gardenpath.queries.syntax import ANCHOR

UNDEFINED = 0            # the number of the value of an undefined feature
_ALWAYS_DEFINED = ("form", "textform", "wordform", "label")


class Vocabulary:
    """The values of each column, numbered from 1. Indexes of parts of a corpus share it."""

    def __init__(self) -> None:
        self._ids: dict[str, dict[str, int]] = {}
        self._values: dict[str, list[str | None]] = {}

    def of(self, column: str) -> tuple[dict[str, int], list[str | None]]:
        """Return the numbers of the values of a column, and the values by number."""
        if column not in self._ids:
            self._ids[column] = {} if column in _ALWAYS_DEFINED else {EMPTY: UNDEFINED}
            self._values[column] = [None]
        return self._ids[column], self._values[column]

    def __len__(self) -> int:
        return sum(map(len, self._values.values()))


class Index:
    """An index of sentences: make it once to search the same sentences for several patterns.

    Changes of the sentences after that are not seen. Columns are added when a pattern needs them.
    """

    def __init__(self, sentences: Iterable[Sentence], vocabulary: Vocabulary | None = None) -> None:
        self.sentences = list(sentences)
        self.vocabulary = vocabulary or Vocabulary()
        self.trees = Trees(self.sentences, *self.vocabulary.of("label"))
        self._columns: dict[str, array[int]] = {"label": self.trees.labels}
        self._structures: bytes | None = None

    def __len__(self) -> int:
        return len(self.sentences)

    @property
    def size(self) -> int:
        """The number of nodes: the words, and one more for each sentence."""
        return len(self.trees.heads)

    def column(self, name: str) -> array[int]:
        """Return the numbers of the values of all nodes in a column."""
        if name not in self._columns:
            self._columns[name] = self._fill(name)
        return self._columns[name]

    @property
    def structures(self) -> bytes:
        """The properties of the trees of all sentences as bits; see `Trees.structures`."""
        if self._structures is None:
            self._structures = self.trees.structures()
        return self._structures

    def _fill(self, name: str) -> array[int]:
        ids, values = self.vocabulary.of(name)
        if name in ("textform", "wordform"):
            return self._surface(name, ids, values)
        anchor = UNDEFINED
        if name == "form":
            anchor = ids.setdefault(ANCHOR, len(values))
            values += [ANCHOR] * (anchor == len(values))
        return numbers(self.sentences, name, self.size, ids, values, anchor)

    def _surface(self, name: str, ids: dict[str, int], values: list[str | None]) -> array[int]:
        column = array("i")
        for sentence in self.sentences:
            column.append(UNDEFINED)
            for value in surface(sentence, name):
                number = ids.setdefault(value, len(values))
                values += [value] * (number == len(values))
                column.append(number)
        return column
