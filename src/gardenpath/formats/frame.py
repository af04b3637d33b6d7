"""Conversion between sentences and data frames of pandas or, if pandas is not installed, Polars."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

from gardenpath.errors import InputError, UsageError
from gardenpath.formats.document import Sentence
from gardenpath.formats.table import COLUMNS, CONFIDENCES, NUMBERS, WORD, numbered, read_tables, rows

WORDS = tuple(column for column in COLUMNS if column not in ("document", "comments", "kind", "last", "nth"))


def to_dataframe(sentences: Iterable[Sentence], complete: bool = False) -> Any:
    """Return a data frame with one row per word.

    The columns are the sentence number (from 1), `sent_id`, the CoNLL-U columns (missing values for `_`), the character
    offsets and the confidence. `complete` adds rows for multi-word tokens and empty nodes, and the columns that they
    need.
    """
    library = _library()
    found = [row for each in numbered(sentences) for row in rows(each) if complete or row.kind == WORD]
    columns = {name: [getattr(row, name) for row in found] for name in (COLUMNS if complete else WORDS)}
    try:
        return _frame(library, columns)
    except (OverflowError, TypeError) as error:
        raise InputError(f"a word has a value that a data frame cannot represent ({error}); correct it") from None


def _frame(library: Any, columns: dict[str, list[Any]]) -> Any:
    if library.__name__ == "pandas":
        types = {name: _chosen(name, "Int64", "Float64", "string") for name in columns}
        return library.DataFrame({name: library.array(values, dtype=types[name]) for name, values in columns.items()})
    schema = {name: _chosen(name, library.Int64, library.Float64, library.String) for name in columns}
    return library.DataFrame(columns, schema=schema)


def _chosen(column: str, whole: Any, real: Any, string: Any) -> Any:
    """Return the type of a column."""
    return whole if column in NUMBERS else real if column in CONFIDENCES else string


def from_dataframe(frame: Any) -> Iterator[Sentence]:
    """Read the sentences of a data frame with all or some of the columns of `to_dataframe`."""
    library = type(frame).__module__.partition(".")[0]
    if library == "pandas":
        known = frame.astype(object).where(frame.notna(), None)
        return read_tables([known.to_dict("list")], "data frame")
    if library == "polars":
        return read_tables([frame.to_dict(as_series=False)], "data frame")
    raise UsageError(f"{type(frame).__name__} is not a data frame of pandas or Polars; pass one of these")


def _library() -> ModuleType:
    for name in ("pandas", "polars"):
        try:
            return import_module(name)
        except ModuleNotFoundError:
            continue
    raise UsageError("data frames need pandas or Polars; run `pip install pandas`")
