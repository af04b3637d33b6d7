"""Sentences as columns of integers, in which several patterns can be searched."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from gardenpath.errors import InputError
from gardenpath.formats.document import EMPTY, Sentence
from gardenpath.queries.columns import Trees, numbers, read_trees
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
        self._sentences = list(sentences)
        self.vocabulary = vocabulary or Vocabulary()
        self.trees = Trees(*self._read_trees(*self.vocabulary.of("label")))
        self._columns: dict[str, array[int]] = {"label": self.trees.labels}
        self._structures: bytes | None = None
        self.error: InputError | None = None     # what is wrong with the sentence after the last one, in a file

    def __len__(self) -> int:
        return len(self.trees.starts) - 1

    def sentence(self, i: int) -> Sentence:
        """Return a sentence, numbered from 0."""
        return self._sentences[i]

    def comment(self, i: int, key: str) -> str | None:
        """Return the value of a comment of a sentence."""
        return self._sentences[i].comment(key)

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
        return self._numbers(name, ids, values, anchor)

    def _read_trees(
        self, ids: dict[str, int], values: list[str | None]
    ) -> tuple[array[int], array[int], array[int]]:
        return read_trees(self._sentences, ids, values)

    def _numbers(self, name: str, ids: dict[str, int], values: list[str | None], anchor: int) -> array[int]:
        return numbers(self._sentences, name, self.size, ids, values, anchor)

    def _surface(self, name: str, ids: dict[str, int], values: list[str | None]) -> array[int]:
        column = array("i")
        for i in range(len(self)):
            column.append(UNDEFINED)
            for value in surface(self.sentence(i), name):
                number = ids.setdefault(value, len(values))
                values += [value] * (number == len(values))
                column.append(number)
        return column
