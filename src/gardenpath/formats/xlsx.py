"""A writer of XLSX, the format of Excel and LibreOffice (ECMA-376), for tables of strings and numbers.

An XLSX file is a ZIP archive of XML files. Rows are written one by one. A worksheet has at most 1,048,576 rows; further
rows go to further worksheets. The same rows give the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from gardenpath.errors import InputError

MOST_ROWS = 1_048_576
MOST_CHARACTERS = 32_767         # in a cell
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
# Characters that XML 1.0 does not allow are written as _xHHHH_; text that looks like this is escaped the same way.
_ESCAPED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
_MARKUP = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "_x000D_"})
_FROZEN = (
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" '
    'state="frozen"/></sheetView></sheetViews>'
)

Cell = str | int | float | None


def write_xlsx(header: Sequence[str], rows: Iterable[Sequence[Cell]], file: IO[bytes]) -> None:
    """Write a header, which stays visible when scrolling, and rows. None is an empty cell."""
    waiting = iter(rows)
    first: list[Sequence[Cell]] = []
    sheets = 0
    with ZipFile(file, "w") as archive:
        while first or not sheets:
            sheets += 1
            _write_sheet(archive, sheets, header, chain(first, islice(waiting, MOST_ROWS - 1 - len(first))))
            first = list(islice(waiting, 1))
        for name, content in _frame(sheets):
            archive.writestr(_entry(name), _HEAD + content, ZIP_DEFLATED)


def _write_sheet(archive: ZipFile, number: int, header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    columns = [_letters(place) for place in range(len(header))]
    with archive.open(_entry(f"xl/worksheets/sheet{number}.xml"), "w", force_zip64=True) as sheet:
        sheet.write(f'{_HEAD}<worksheet xmlns="{_MAIN}">{_FROZEN}<sheetData>'.encode())
        for row, values in enumerate(chain([header], rows), 1):
            cells = "".join(
                _cell(f"{column}{row}", value) for column, value in zip(columns, values, strict=True)
                if value is not None
            )
            sheet.write(f'<row r="{row}">{cells}</row>'.encode())
        sheet.write(b"</sheetData></worksheet>")


def _cell(place: str, value: str | int | float) -> str:
    if not isinstance(value, str):
        return f'<c r="{place}"><v>{value}</v></c>'
    if len(value) > MOST_CHARACTERS:
        raise InputError(
            f"cell {place}: the text has {len(value):,} characters, and a cell of XLSX at most {MOST_CHARACTERS:,}; "
            "write CSV instead, or leave out the column"
        )
    text = _ESCAPED.sub(lambda found: f"_x{ord(found[0]):04X}_", value).translate(_MARKUP)
    return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'


def _letters(place: int) -> str:
    """Return the name of a column: A, B, ..., Z, AA, ..."""
    return (_letters(place // 26 - 1) if place >= 26 else "") + chr(ord("A") + place % 26)


def _entry(name: str) -> ZipInfo:
    """Return an entry of the archive with a fixed date."""
    entry = ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.compress_type = ZIP_DEFLATED
    return entry


def _frame(sheets: int) -> Iterator[tuple[str, str]]:
    """Yield the other files of the archive, which name the worksheets."""
    numbers = range(1, sheets + 1)
    kinds = "".join(
        f'<Override PartName="/xl/worksheets/sheet{i}.xml" ContentType="{_TYPE}.worksheet+xml"/>' for i in numbers
    )
    yield "[Content_Types].xml", (
        f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>{kinds}</Types>'
    )
    yield "_rels/.rels", _relations([("officeDocument", "xl/workbook.xml")])
    names = "".join(f'<sheet name="Sheet{i}" sheetId="{i}" r:id="rId{i}"/>' for i in numbers)
    yield "xl/workbook.xml", f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}"><sheets>{names}</sheets></workbook>'
    yield "xl/_rels/workbook.xml.rels", _relations([("worksheet", f"worksheets/sheet{i}.xml") for i in numbers])


def _relations(targets: Iterable[tuple[str, str]]) -> str:
    items = "".join(
        f'<Relationship Id="rId{number}" Type="{_RELATIONS}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{items}</Relationships>'
