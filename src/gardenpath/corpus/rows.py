"""Parquet files with one document per row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gardenpath.errors import InputError
from gardenpath.formats.arrow import the_pyarrow

if TYPE_CHECKING:
    from gardenpath.corpus.inputs import Input
    from gardenpath.corpus.plan import Segment

Row = tuple[int, object, object]         # row number in the file, from 1; id; text
_BATCH = 64                              # rows read at once


def row_groups(input: Input, size: int) -> Iterator[tuple[int, int, int]]:
    """Group the row groups of a file up to a size.

    Yield the first row group, the one after the last, and their share of the file in bytes.
    """
    with _opened(input) as file:
        sizes = [file.metadata.row_group(i).total_byte_size for i in range(file.num_row_groups)]
    total, first = max(1, sum(sizes)), 0
    for i in range(len(sizes)):
        if i + 1 == len(sizes) or sum(sizes[first : i + 2]) > size:
            yield first, i + 1, input.size * sum(sizes[first : i + 1]) // total
            first = i + 1


def rows(segment: Segment, text_field: str, id_field: str) -> Iterator[Row]:
    """Yield the rows of a segment, read in small batches."""
    with _opened(segment.input) as file:
        names = file.schema_arrow.names
        if text_field not in names:
            raise InputError(
                f"{segment.input.name}: there is no column `{text_field}`, only {', '.join(names)}; name the column "
                "with the text with --text-field"
            )
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
        raise InputError(
            f"{input.name}: {str(error).partition(chr(10))[0]}; give a Parquet file, or leave this one out"
        ) from None
