"""Search sentences, documents, indexes and files for a pattern."""

from __future__ import annotations

import warnings
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from gardenpath.errors import GardenpathWarning, UsageError
from gardenpath.formats.document import Document, Sentence
from gardenpath.formats.sheets import sheet_format, write_rows
from gardenpath.queries.execution import run
from gardenpath.queries.file_index import FileIndex
from gardenpath.queries.index import Index, Vocabulary
from gardenpath.queries.inputs import chunks_of
from gardenpath.queries.keys import Key
from gardenpath.queries.match import Match
from gardenpath.queries.misspelt import UnknownNames
from gardenpath.queries.output import default_columns
from gardenpath.queries.pattern import Pattern
from gardenpath.queries.regex import Watch
from gardenpath.queries.tables import Tables

CHUNK = 20_000           # words that are indexed at once
MOST_VALUES = 1_000_000  # different values before a new vocabulary is started, so that memory does not grow
Searched = Index | Document | Sentence | str | Path | Iterable[Any]


def search(
    sentences: Searched, pattern: str | Pattern, *, limit: int | None = None, watch: Watch | None = None
) -> Matches:
    """Search for a pattern in the language of Grew-match, such as `pattern { V [upos=VERB]; V -[nsubj]-> S }`.

    `sentences` are a document, sentences, an `Index`, or the paths of files or folders, which are read lazily. `limit`
    is the largest number of matches. `watch` is called from time to time and may raise an error to stop the search.

    Errors: `PatternError`, with the position, if the pattern cannot be read.
    """
    if limit is not None and limit < 0:
        raise UsageError(f"limit must be 0 or more, not {limit}")
    read = pattern if isinstance(pattern, Pattern) else Pattern(pattern)
    for note in read.notes if isinstance(pattern, str) else ():
        warnings.warn(note, GardenpathWarning, stacklevel=2)
    return Matches(sentences, read, limit, watch, warns=isinstance(pattern, str))


class Matches:
    """The matches of a pattern. Iterate over them, or count them.

    `sentences` and `words` are the numbers of sentences and words that the last iteration has searched. If it has
    searched everything, `notes` are about names in the pattern and in the keys that are probably misspelt. They are
    also warnings, unless a `Pattern` was given.
    """

    def __init__(
        self, searched: Searched, pattern: Pattern, limit: int | None, watch: Watch | None, *, warns: bool = False
    ) -> None:
        self.pattern, self.limit = pattern, limit
        self.sentences = self.words = 0
        self.notes: list[str] = []
        self._searched, self._watch, self._warns = searched, watch, warns

    def __iter__(self) -> Iterator[Match]:
        return self._each(())

    def _each(self, features: Iterable[str]) -> Iterator[Match]:
        """Yield the matches. `features` are those that keys read, besides the features in the pattern."""
        for sentence, rows in self._rows(features):
            for ids in rows:
                yield Match(self.pattern, sentence, ids)

    def with_keys(self, *keys: str) -> Iterator[tuple[Match, tuple[str | None, ...]]]:
        """Return each match with the values of keys such as `V.lemma` or `e.label`; None is an undefined value."""
        readers = [Key(key, self.pattern) for key in keys]
        matches = self._each([feature for reader in readers for feature in reader.features])
        return ((match, tuple(reader.of(match) for reader in readers)) for match in matches)

    def by_sentence(self) -> Iterator[tuple[Sentence, list[Match]]]:
        """Yield each sentence that has matches with all of them."""
        last: Sentence | None = None
        found: list[Match] = []
        for match in self:
            if match.sentence is not last and last is not None:
                yield last, found
                found = []
            last = match.sentence
            found.append(match)
        if last is not None:
            yield last, found

    def count(self) -> int:
        """Return the number of matches."""
        return sum(len(numbers) for _, numbers in self._found(())) // (len(self.pattern.nodes) + 1)

    def count_by(self, *keys: str) -> Counter[tuple[str | None, ...]]:
        """Count the matches by the values of keys such as `V.lemma` or `e.label`; None is an undefined value."""
        return Counter(values for _, values in self.with_keys(*keys))

    def to_table(self, path: str | Path, columns: Sequence[str] | None = None) -> None:
        """Write one row per match as CSV, TSV or XLSX, by the ending of the path.

        `columns` are keys such as `V.lemma` or `e.label`; the default is a selection.
        """
        keys = columns or default_columns(self.pattern)
        rows = (values for _, values in self.with_keys(*keys))
        write_rows([key.strip() for key in keys], rows, path, sheet_format(path))

    def __repr__(self) -> str:
        return f"<Matches of {self.pattern.text!r}>"

    def _rows(self, features: Iterable[str]) -> Iterator[tuple[Sentence, list[tuple[int, ...]]]]:
        """Yield sentences with the ids of their matches. A sentence with very many matches comes several times."""
        for index, numbers in self._found(features):
            for first, rows in _grouped(numbers, len(self.pattern.nodes) + 1):
                yield index.sentence(first), rows

    def _found(self, features: Iterable[str]) -> Iterator[tuple[Index, array[int]]]:
        """Yield indexes with the numbers of matches in them (see `run`), up to the limit."""
        self.sentences = self.words = 0
        self.notes = []
        width = len(self.pattern.nodes) + 1
        left = None if self.limit is None else self.limit * width
        for index, numbers in self._all_found(features) if left != 0 else ():
            yield index, numbers[:left]
            left = None if left is None else left - len(numbers)
            if left is not None and left <= 0:
                return

    def _all_found(self, features: Iterable[str]) -> Iterator[tuple[Index, array[int]]]:
        tables: Tables | None = None
        unknown = UnknownNames(self.pattern.request, features)
        for index in self._indexes():
            self.sentences += len(index)
            self.words += index.size - len(index)
            if tables is None or tables.vocabulary is not index.vocabulary:
                if tables is not None:
                    unknown.drop_found(tables.vocabulary)
                tables = Tables(index.vocabulary, self._watch)
            yield from ((index, numbers) for numbers in run(index, self.pattern, tables, self._watch))
        if tables is not None:
            self._note(unknown, tables.vocabulary)

    def _note(self, unknown: UnknownNames, vocabulary: Vocabulary) -> None:
        unknown.drop_found(vocabulary)
        self.notes = unknown.notes(vocabulary)
        for note in self.notes if self._warns else ():
            warnings.warn(note, GardenpathWarning, stacklevel=6)

    def _indexes(self) -> Iterator[Index]:
        if isinstance(self._searched, Index):
            yield from (self._searched,) if len(self._searched) else ()
            return
        vocabulary = Vocabulary()
        for chunk in chunks_of(self._searched, CHUNK):
            if len(vocabulary) > MOST_VALUES:
                vocabulary = Vocabulary()
            index = FileIndex(chunk, vocabulary) if isinstance(chunk[0], tuple) else Index(chunk, vocabulary)
            yield from (index,) if len(index) else ()
            if index.error is not None:
                raise index.error


def _grouped(numbers: array[int], width: int) -> Iterator[tuple[int, list[tuple[int, ...]]]]:
    """Group matches by sentence; those of a sentence are sorted."""
    groups: dict[int, list[tuple[int, ...]]] = {}
    for i in range(0, len(numbers), width):
        groups.setdefault(numbers[i], []).append(tuple(numbers[i + 1 : i + width]))
    for first, rows in groups.items():
        yield first, sorted(rows)
