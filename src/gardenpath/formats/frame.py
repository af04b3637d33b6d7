"""Words as a data frame of pandas or, where that is not installed, of Polars; and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

from gardenpath.formats.document import Sentence
from gardenpath.errors import UsageError
from gardenpath.formats.table import COLUMNS, NUMBERS, WORD, numbered, read_tables, rows

WORDS = tuple(column for column in COLUMNS if column not in ("document", "comments", "kind", "last", "nth"))


def to_dataframe(sentences: Iterable[Sentence], complete: bool = False) -> Any:
    """A row a word: the number of its sentence from 1 on, sent_id, its columns (missing where they are `_`), where it stands in the text.

    `complete` has rows for ranges and empty nodes too, and the columns that go with them.
    """
    library = _library()
    found = [row for each in numbered(sentences) for row in rows(each) if complete or row.kind == WORD]
    columns = {name: [getattr(row, name) for row in found] for name in (COLUMNS if complete else WORDS)}
    if library.__name__ == "pandas":
        return library.DataFrame({name: library.array(values, dtype="Int64" if name in NUMBERS else "string") for name, values in columns.items()})
    return library.DataFrame(columns, schema={name: library.Int64 if name in NUMBERS else library.String for name in columns})


def from_dataframe(frame: Any) -> Iterator[Sentence]:
    """The sentences of a data frame that has the columns of `to_dataframe`, or some of them."""
    library = type(frame).__module__.partition(".")[0]
    if library == "pandas":
        known = frame.astype(object).where(frame.notna(), None)
        return read_tables([known.to_dict("list")], "data frame")
    if library == "polars":
        return read_tables([frame.to_dict(as_series=False)], "data frame")
    raise UsageError(f"{type(frame).__name__} is no data frame of pandas or Polars")


def _library() -> ModuleType:
    for name in ("pandas", "polars"):
        try:
            return import_module(name)
        except ModuleNotFoundError:
            continue
    raise UsageError("data frames need pandas or Polars: pip install pandas")
