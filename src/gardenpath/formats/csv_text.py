"""Texts in a column of a CSV file, one per row."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import IO

from gardenpath.errors import InputError
from gardenpath.formats.encodings import not_decodable

_DELIMITERS = ",;\t|"


def rows_of_csv(file: IO[bytes], name: str, text_field: str, id_field: str) -> Iterator[tuple[str, str]]:
    """Yield id and text of each row of a file in UTF-8, whose first row has the names of the columns.

    The id is the value of the column `id_field`; without such a column, it is the number of the row below the names.
    The delimiter is the one of `, ; | tab` that is most frequent in the first row. If there is only one column, it is
    the text.
    """
    lines = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
    try:
        first = lines.readline()
        names = next(csv.reader([first], delimiter=_delimiter(first)), [])
        column = _column(names, text_field, name)
        identity = names.index(id_field) if id_field in names else None
        for number, row in enumerate(csv.reader(lines, delimiter=_delimiter(first), strict=True), 1):
            if len(row) > column:
                yield row[identity] if identity is not None and len(row) > identity else str(number), row[column]
    except csv.Error as error:
        raise InputError(f"{name}: the table cannot be read ({error}); save it as CSV again, quoted with \"") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: {not_decodable(error.object, error.start)}") from None
    finally:
        lines.detach()


def _delimiter(line: str) -> str:
    return max(_DELIMITERS, key=line.count)


def _column(names: list[str], wanted: str, file: str) -> int:
    if len(names) == 1:
        return 0
    if wanted not in names:
        raise InputError(
            f"{file}: there is no column {wanted!r}, only {', '.join(names) or 'an empty first row'}; name the column "
            "with the text with --text-field"
        )
    return names.index(wanted)
