"""Files with text: plain text, web pages, Word documents and tables, by their endings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.files import Named, named, opened
from gardenpath.formats.conllu import Source, source_name
from gardenpath.formats.encoding_guess import UTF8
from gardenpath.formats.encodings import in_utf8
from gardenpath.formats.text import TextPiece, pieces_of, read_pieces

CSV, DOCX, HTML = "csv", "docx", "html"
TEXT_FIELD, ID_FIELD = "text", "id"
LARGEST = 200_000_000        # of a page or a Word document in bytes
_ENDINGS = {
    ".txt": "text", ".text": "text", ".md": "text", ".html": HTML, ".htm": HTML, ".xhtml": HTML, ".docx": DOCX,
    ".csv": CSV, ".tsv": CSV,
}


def kind_by_ending(path: str | Path) -> str | None:
    """Return `text`, `html`, `docx` or `csv`, or None if the ending is not that of a text."""
    return _ENDINGS.get(Path(path).suffix.lower())


def read_texts(
    source: Source, kind: str, *, encoding: str = UTF8, text_field: str = TEXT_FIELD, id_field: str = ID_FIELD,
    id: str = "",
) -> Iterator[TextPiece]:
    """Read a file in pieces. `kind` is `html`, `docx` or `csv`, or an input kind of the pipeline.

    The fields are columns of a table, whose rows are documents with ids of their own; `id` is that of other documents.
    A Word document ignores the encoding; a page has the encoding that it declares, unless another than UTF-8 is given.
    """
    for piece in _read(source, kind, encoding, text_field, id_field):
        yield replace(piece, source=source_name(source), id=piece.id if kind == CSV else id)


def _read(source: Source, kind: str, encoding: str, text_field: str, id_field: str) -> Iterator[TextPiece]:
    if kind == HTML:
        yield from pieces_of(_text_of_page(source, encoding))
    elif kind == DOCX:
        from gardenpath.formats.docx_text import text_of_docx

        yield from pieces_of(text_of_docx(_content(source), source_name(source)))
    elif kind == CSV:
        from gardenpath.formats.csv_text import rows_of_csv

        with opened(in_utf8(source, encoding)) as file:
            for id, text in rows_of_csv(file, source_name(source), text_field, id_field):
                yield from pieces_of(text, id=id)
    else:
        yield from read_pieces(source, by_line=kind != "text", encoding=encoding)


def _text_of_page(source: Source, encoding: str) -> str:
    from gardenpath.formats.html_text import html_encoding, text_of_html

    content = _content(source)
    declared = html_encoding(content.getvalue(), encoding)
    return text_of_html("".join(piece.text for piece in read_pieces(content, encoding=declared)))


def _content(source: Source) -> Named:
    """Read a whole file into memory; raise `InputError` if it is too large."""
    with opened(source) as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise InputError(f"{source_name(source)}: the file has more than {LARGEST:,} bytes; divide it")
    return named(content, source_name(source))
