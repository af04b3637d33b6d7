"""Conditions and features as tables over the values of a vocabulary: each different value is read only once."""

from __future__ import annotations

from array import array

from gardenpath.queries.columns import heads_of, intersect, join, restrict, restrict_by_two
from gardenpath.queries.features import Source
from gardenpath.queries.index import UNDEFINED, Index, Vocabulary
from gardenpath.queries.pattern import Condition, NodeTest
from gardenpath.queries.regex import Watch

ELSEWHERE = 2            # result of a condition whose feature is undefined in the first of its two sources
Reading = tuple[str, "array[int]"]           # a column, and the number of a feature's value for each of its values


class Tables:
    """The tables of one search. They grow with the vocabulary."""

    def __init__(self, vocabulary: Vocabulary, watch: Watch | None) -> None:
        self.vocabulary, self.watch = vocabulary, watch
        self._results: dict[tuple[Condition, int], bytearray] = {}
        self._features: dict[Source, array[int]] = {}
        self._strings: dict[str, int] = {}       # values of compared features, numbered from 1

    def mask(self, index: Index, tests: list[NodeTest]) -> bytearray:
        """Return a mask of the nodes that pass all tests: 1 or 0 for each node."""
        result = bytearray(b"\1") * index.size
        for test in tests:
            if len(test.alternatives) == 1 and not test.of_dependent:
                self._restrict(index, result, test.alternatives[0])
            else:
                intersect(result, self._alternatives(index, test))
        return result

    def readings(self, index: Index, sources: tuple[Source, ...]) -> list[Reading]:
        """Return the columns of a feature and its values in them, for comparisons of features."""
        return [(source.column, self._feature(index, source)) for source in sources]

    def _alternatives(self, index: Index, test: NodeTest) -> bytearray:
        found = bytearray(index.size)
        for alternative in test.alternatives:
            mask = bytearray(b"\1") * index.size
            self._restrict(index, mask, alternative)
            join(found, mask)
        return heads_of(found, index.trees.heads) if test.of_dependent else found

    def _restrict(self, index: Index, mask: bytearray, conditions: tuple[Condition, ...]) -> None:
        for condition in conditions:
            columns = [index.column(source.column) for source in condition.sources]      # new values come first
            tables = [self._result(condition, i) for i in range(len(columns))]
            if len(columns) == 1:
                restrict(mask, columns[0], tables[0])
            else:
                restrict_by_two(mask, columns[0], tables[0], columns[1], tables[1])

    def _result(self, condition: Condition, i: int) -> bytearray:
        """Return the results of a condition for the values of its `i`th source."""
        source = condition.sources[i]
        is_last = i == len(condition.sources) - 1
        table = self._results.setdefault((condition, i), bytearray())
        values = self.vocabulary.of(source.column)[1]
        for number in range(len(table), len(values)):
            value = values[number]
            read = None if value is None else source.read(value)
            if self.watch is not None and number % 256 == 0:
                self.watch()
            table.append(ELSEWHERE if read is None and not is_last else condition.test.holds(read, self.watch))
        return table

    def _feature(self, index: Index, source: Source) -> array[int]:
        index.column(source.column)
        table = self._features.setdefault(source, array("i"))
        values = self.vocabulary.of(source.column)[1]
        for value in values[len(table) :]:
            read = None if value is None else source.read(value)
            number = UNDEFINED if read is None else self._strings.setdefault(read, len(self._strings) + 1)
            table.append(number)
        return table
