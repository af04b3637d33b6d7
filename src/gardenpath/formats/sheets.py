"""Rows of values as CSV, TSV or XLSX, written row by row.

The rows are not bound to words or sentences: anything that has a header and rows can be written here.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import IO

from gardenpath.errors import UsageError
from gardenpath.files import replacing
from gardenpath.formats.columns import WORDS, Value, table_of
from gardenpath.formats.document import Sentence

Rows = Iterable[Sequence[Value]]
_SPACES = str.maketrans("\t\r\n", "   ")


def write_rows(header: Sequence[str], rows: Rows, target: str | Path | IO[bytes], format: str) -> None:
    """Write rows to a path or an open binary file in the format `csv`, `tsv` or `xlsx`. None is an empty cell."""
    if format not in _WRITERS:
        raise UsageError(f"rows cannot be written as {format!r}; choose one of {', '.join(_WRITERS)}")
    if isinstance(target, (str, Path)):
        with replacing(target) as file:
            _WRITERS[format](header, rows, file)
    else:
        _WRITERS[format](header, rows, target)


def sheet_format(path: str | Path) -> str:
    """Return the name of the format that the ending of a path means."""
    format = Path(path).suffix.lower().removeprefix(".")
    if format not in _WRITERS:
        endings = ", ".join(f".{name}" for name in _WRITERS)
        raise UsageError(f"{path}: the ending is not that of a spreadsheet; use one of {endings}")
    return format


def sheet_writer(format: str) -> Callable[..., None]:
    """Return a function that writes sentences as rows in this format, for the registry of formats."""
    def write(
        sentences: Iterable[Sentence], target: str | Path | IO[bytes], *, columns: Sequence[str] | None = None,
        rows: str = WORDS,
    ) -> None:
        table = table_of(sentences, columns, rows)
        write_rows(table.header, table.rows, target, format)

    return write


class _Encoding:
    """A text file for the `csv` module that writes UTF-8 to a binary one.

    Carriage returns become spaces, because the module does not quote them.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def write(self, text: str) -> int:
        return self._file.write(text.replace("\r", " ").encode("utf-8", "replace"))


def _write_csv(header: Sequence[str], rows: Rows, file: IO[bytes]) -> None:
    writer = csv.writer(_Encoding(file), lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)


def _write_tsv(header: Sequence[str], rows: Rows, file: IO[bytes]) -> None:
    """Write columns separated by tabs, without quotes. Tabs and line breaks inside a value become spaces."""
    target = _Encoding(file)
    target.write("\t".join(header) + "\n")
    for row in rows:
        cells = ("" if value is None else str(value).translate(_SPACES) for value in row)
        target.write("\t".join(cells) + "\n")


def _write_xlsx(header: Sequence[str], rows: Rows, file: IO[bytes]) -> None:
    from gardenpath.formats.xlsx import write_xlsx

    write_xlsx(header, rows, file)


_WRITERS: dict[str, Callable[[Sequence[str], Rows, IO[bytes]], None]] = {
    "csv": _write_csv, "tsv": _write_tsv, "xlsx": _write_xlsx,
}
