"""Parquet files whose rows are documents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gardenpath.errors import InputError
from gardenpath.formats.arrow import the_pyarrow

if TYPE_CHECKING:
    from gardenpath.corpus.inputs import Input
    from gardenpath.corpus.plan import Segment

Row = tuple[int, object, object]         # the number of the row in its file, from 1; its id, its text
_BATCH = 64                              # rows that are read at once


def row_groups(input: Input, size: int) -> Iterator[tuple[int, int, int]]:
    """The row groups of a file put together up to that size: the first, the one after the last, and how many bytes of the file that is."""
    with _opened(input) as file:
        sizes = [file.metadata.row_group(i).total_byte_size for i in range(file.num_row_groups)]
    total, first = max(1, sum(sizes)), 0
    for i in range(len(sizes)):
        if i + 1 == len(sizes) or sum(sizes[first : i + 2]) > size:
            yield first, i + 1, input.size * sum(sizes[first : i + 1]) // total
            first = i + 1


def rows(segment: Segment, text_field: str, id_field: str) -> Iterator[Row]:
    """The rows of a segment, a few at a time."""
    with _opened(segment.input) as file:
        names = file.schema_arrow.names
        if text_field not in names:
            raise InputError(f"{segment.input.name}: no column is called `{text_field}`, but {', '.join(names)}; say which has the text with --text-field")
        number = sum(file.metadata.row_group(i).num_rows for i in range(segment.start))
        columns = [field for field in (text_field, id_field) if field in names]
        for batch in file.iter_batches(_BATCH, row_groups=list(range(segment.start, segment.end)), columns=columns):
            for row in batch.to_pylist():
                number += 1
                yield number, row.get(id_field), row[text_field]


def _opened(input: Input) -> Any:
    arrow = the_pyarrow()
    from pyarrow.parquet import ParquetFile

    try:
        return ParquetFile(input.path)
    except arrow.ArrowException as error:
        raise InputError(f"{input.name}: {str(error).partition(chr(10))[0]}; give a file in Parquet, or leave it out") from None
