"""Conversion between sentences and data frames of pandas or, if pandas is not installed, Polars."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

from gardenpath.errors import InputError, UsageError
from gardenpath.formats.columns import WORDS as WORD_ROWS
from gardenpath.formats.columns import Table, table_of
from gardenpath.formats.document import Sentence
from gardenpath.formats.table import COLUMNS, CONFIDENCES, NUMBERS, WORD, numbered, read_tables, rows

WORDS = tuple(column for column in COLUMNS if column not in ("document", "comments", "kind", "last", "nth"))


def to_dataframe(
    sentences: Iterable[Sentence], complete: bool = False, chosen: Sequence[str] | None = None, kind: str = WORD_ROWS,
) -> Any:
    """Return a data frame with one row per word.

    The columns are the sentence number (from 1), `sent_id`, the CoNLL-U columns (missing values for `_`), the character
    offsets and the confidence. `complete` adds rows for multi-word tokens and empty nodes, and the columns that they
    need. With `chosen` columns, or rows of the kind `sentences`, the data frame is that of `columns.table_of`.
    """
    if chosen is not None or kind != WORD_ROWS:
        if complete:
            raise UsageError("a complete data frame has all columns and rows; leave out `columns` and `rows`")
        return _chosen_frame(table_of(sentences, chosen, kind))
    found = [row for each in numbered(sentences) for row in rows(each) if complete or row.kind == WORD]
    columns = {name: [getattr(row, name) for row in found] for name in (COLUMNS if complete else WORDS)}
    kinds = {name: int if name in NUMBERS else float if name in CONFIDENCES else str for name in columns}
    return _frame(columns, kinds)


def _chosen_frame(table: Table) -> Any:
    rows = list(table.rows)
    columns = {name: [row[place] for row in rows] for place, name in enumerate(table.header)}
    return _frame(columns, {column.name: column.kind for column in table.columns})


def _frame(columns: dict[str, list[Any]], kinds: Mapping[str, type]) -> Any:
    """Return a data frame with columns of these types, which can have missing values."""
    library = _library()
    try:
        return _built(library, columns, kinds)
    except (OverflowError, TypeError, ValueError) as error:
        raise InputError(f"a word has a value that a data frame cannot represent ({error}); correct it") from None


def _built(library: Any, columns: dict[str, list[Any]], kinds: Mapping[str, type]) -> Any:
    if library.__name__ == "pandas":
        types = {int: "Int64", float: "Float64", str: "string"}
        return library.DataFrame(
            {name: library.array(values, dtype=types[kinds[name]]) for name, values in columns.items()}
        )
    types = {int: library.Int64, float: library.Float64, str: library.String}
    return library.DataFrame(columns, schema={name: types[kind] for name, kind in kinds.items()})


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
