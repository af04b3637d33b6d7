"""Tables with columns to choose: one row per word or per sentence.

`table.Row` has the columns of lossless tables. The columns here are for spreadsheets and statistics: they also have
what belongs to the head, to the sentence or to a single feature.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any

from gardenpath.errors import UsageError
from gardenpath.formats.confidence import Confidence
from gardenpath.formats.conllu import items_of
from gardenpath.formats.document import EMPTY, Sentence, Word
from gardenpath.formats.table import Numbered, numbered

Value = str | int | float | None
WORDS, SENTENCES = ROWS = ("words", "sentences")


class Place:
    """The sentence that a row belongs to. Its columns are computed once, for all of its words."""

    def __init__(self, found: Numbered) -> None:
        self.document, self.number, self.sentence = found

    @cached_property
    def sent_id(self) -> str | None:
        """The value of the comment `# sent_id`."""
        return self.sentence.sent_id

    @cached_property
    def text(self) -> str:
        """The text of the sentence."""
        return self.sentence.text


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its name, the type of its values, and the value in the row of a word or a sentence."""

    name: str
    kind: type[str] | type[int] | type[float]
    of: Callable[[Place, Any], Value]


@dataclass(frozen=True, slots=True)
class Table:
    """A table whose rows are computed as they are read."""

    columns: tuple[Column, ...]
    rows: Iterator[tuple[Value, ...]]

    @property
    def header(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)


def table_of(sentences: Iterable[Sentence], columns: Sequence[str] | None = None, rows: str = WORDS) -> Table:
    """Return a table with one row per word (`words`) or per sentence (`sentences`), with these columns in order."""
    chosen = chosen_columns(columns, rows)
    return Table(chosen, _rows(map(Place, numbered(sentences)), chosen, rows))


def chosen_columns(columns: Sequence[str] | None, rows: str = WORDS) -> tuple[Column, ...]:
    """Return the columns with these names, or the default columns; raise `UsageError` if there is no such column."""
    if rows not in ROWS:
        raise UsageError(f"rows cannot be {rows!r}; choose one of {', '.join(ROWS)}")
    if isinstance(columns, str):
        raise UsageError(f"the columns must be a list of names, not the string {columns!r}")
    names = tuple(DEFAULTS[rows] if columns is None else columns)
    if not names or len(set(names)) < len(names):
        raise UsageError("a table needs at least one column, and each column only once; correct the list of columns")
    return tuple(_column(name, rows) for name in names)


def _rows(places: Iterable[Place], columns: Sequence[Column], rows: str) -> Iterator[tuple[Value, ...]]:
    values = [column.of for column in columns]
    for place in places:
        for item in place.sentence if rows == WORDS else (place.sentence,):
            yield tuple(value(place, item) for value in values)


def _column(name: str, rows: str) -> Column:
    known = _KNOWN[rows]
    if name in known:
        return known[name]
    column, dot, key = name.partition(".")
    if rows == WORDS and dot and key and column in _OF_KEYS:
        return Column(name, str, _OF_KEYS[column](key))
    more = ", or one item of a column such as feats.Number or misc.Gloss" if rows == WORDS else ""
    raise UsageError(f"there is no column {name!r} in a table of {rows}; choose from {', '.join(known)}{more}")


def _plain(name: str) -> Callable[[Place, Word], Value]:
    value = attrgetter("raw_feats" if name == "feats" else name)
    return lambda _, word: None if (found := value(word)) == EMPTY else found


def _of_head(name: str) -> Callable[[Place, Word], Value]:
    value = attrgetter(name)
    return lambda _, word: value(word.head_word) if word.head and value(word.head_word) != EMPTY else None


def _confidence(name: str) -> Callable[[Place, Word], Value]:
    return lambda _, word: None if word.confidence is None else getattr(word.confidence, name)


def _lowest(name: str) -> Callable[[Place, Sentence], Value]:
    def value(_: Place, sentence: Sentence) -> Value:
        known = (getattr(word.confidence, name) for word in sentence if word.confidence is not None)
        return min((number for number in known if number is not None), default=None)

    return value


def _of_root(name: str) -> Callable[[Place, Sentence], Value]:
    def value(_: Place, sentence: Sentence) -> Value:
        found = None if sentence.root is None else getattr(sentence.root, name)
        return None if found == EMPTY else found

    return value


_OF_KEYS: dict[str, Callable[[str], Callable[[Place, Word], Value]]] = {
    "feats": lambda key: lambda _, word: items_of(word.raw_feats).get(key),
    "misc": lambda key: lambda _, word: items_of(word.misc).get(key),
}
_SHARED = (
    Column("document", str, lambda place, _: place.document),
    Column("sentence", int, lambda place, _: place.number),
    Column("sent_id", str, lambda place, _: place.sent_id),
    Column("text", str, lambda place, _: place.text),
)
_KNOWN = {WORDS: {column.name: column for column in (
    *_SHARED,
    Column("id", int, _plain("id")),
    Column("form", str, lambda _, word: word.form),
    *(Column(name, str, _plain(name)) for name in ("lemma", "upos", "xpos", "feats")),
    Column("head", int, _plain("head")),
    *(Column(name, str, _plain(name)) for name in ("deprel", "deps", "misc")),
    Column("token", str, lambda _, word: word.form if word.token is None else word.token.form),
    *(Column(f"head_{name}", str, _of_head(name)) for name in ("form", "lemma", "upos", "deprel")),
    Column("depth", int, lambda _, word: word.depth),
    *(Column(name, int, _plain(name)) for name in ("start", "end")),
    *(Column(f"conf_{name}", float, _confidence(name)) for name in Confidence._fields),
)}, SENTENCES: {column.name: column for column in (
    *_SHARED,
    Column("tokens", int, lambda _, sentence: len(sentence.tokens)),
    Column("words", int, lambda _, sentence: len(sentence)),
    *(Column(f"root_{name}", str, _of_root(name)) for name in ("form", "lemma", "upos")),
    Column("depth", int, lambda _, sentence: max((word.depth for word in sentence), default=None)),
    *(Column(f"lowest_conf_{name}", float, _lowest(name)) for name in Confidence._fields),
)}}
DEFAULTS = {
    WORDS: (
        "document", "sentence", "sent_id", "id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel",
        "head_form", "head_upos",
    ),
    SENTENCES: ("document", "sentence", "sent_id", "text", "tokens", "words", "root_form", "root_upos"),
}
