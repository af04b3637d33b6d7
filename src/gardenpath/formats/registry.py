"""The registry of file formats, by name and by file ending.

The modules and libraries that a format needs are imported when it is used.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from gardenpath.errors import InputError, UsageError
from gardenpath.files import opened, replacing
from gardenpath.formats.conllu import Source, read_conllu, source_name
from gardenpath.formats.document import Document, Sentence
from gardenpath.formats.encoding_guess import UTF8
from gardenpath.formats.encodings import in_utf8
from gardenpath.formats.joining import conllu_parts
from gardenpath.formats.losses import COLUMNS, COMMENTS, EMPTY_NODES, HEAD, MISC, RANGES, SPACES, Losses

Target = str | Path | IO[bytes]
Reader = Callable[[Source], Iterator[Sentence]]
Writer = Callable[..., None]


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: name, title, file endings, reader, writer, and what it cannot represent (`lacks`)."""

    name: str
    title: str
    endings: tuple[str, ...] = ()
    read: Reader | None = None
    write: Writer | None = None
    lacks: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()           # items of MISC that are written although MISC is not
    options: tuple[str, ...] = ()        # options of the writer
    is_binary: bool = False              # whether it is no text, so that it has no encoding
    is_table: bool = False               # whether it has rows, and columns to choose (`formats.columns`)


def read(source: Source, format: str, encoding: str = UTF8) -> Iterator[Sentence]:
    """Read the sentences of a file (`-` is standard input) in a format, one by one where the format allows it.

    Binary formats have no encoding and ignore it.
    """
    chosen = named(format)
    if chosen.read is None:
        formats = ", ".join(readable())
        remedy = "; `gardenpath parse` makes trees from text" if format == "plaintext" else ""
        raise UsageError(f"{chosen.title} can only be written; choose a format that can be read: {formats}{remedy}")
    return chosen.read(source if chosen.is_binary else in_utf8(source, encoding))


def write(sentences: Iterable[Sentence | Document], target: Target, format: str, **options: Any) -> Losses:
    """Write sentences or documents in a format to a path or an open binary file.

    Return what the format could not represent.

    Options: `columns`, the column names, for CoNLL-U Plus and tables; `rows`, `words` or `sentences`, for tables;
    `nested`, one row per sentence with all its words, for Parquet and Arrow.
    """
    chosen = check_options(format, options)
    if "columns" in chosen.options and not chosen.is_table:
        options.setdefault("columns", getattr(sentences, "columns", None))
    losses = _losses(chosen, None if chosen.is_table else options.get("columns"))
    assert chosen.write is not None
    chosen.write(losses.watch(_sentences(sentences)), target, **options)
    return losses


def _sentences(given: Iterable[Sentence | Document]) -> Iterator[Sentence]:
    """Yield the sentences, also those of documents."""
    for each in given:
        yield from each if isinstance(each, Document) else (each,)


def check_options(format: str, options: Mapping[str, Any]) -> Format:
    """Return the format with this name; raise `UsageError` if it cannot be written with these options."""
    chosen = named(format)
    if chosen.write is None:
        formats = ", ".join(writable())
        raise UsageError(f"{chosen.title} can only be read; choose a format that can be written: {formats}")
    for option in sorted(options.keys() - set(chosen.options)):
        raise UsageError(f"{chosen.title} has no option `{option}`; leave it out")
    if chosen.is_table:
        from gardenpath.formats.columns import WORDS, chosen_columns

        chosen_columns(options.get("columns"), options.get("rows", WORDS))
    return chosen


def write_table(
    sentences: Iterable[Sentence | Document], target: Target, format: str | None = None, *,
    columns: Sequence[str] | None = None, rows: str = "words",
) -> None:
    """Write sentences or documents as a table: CSV, TSV, XLSX, Parquet or Arrow.

    It has one row per word or, with `rows="sentences"`, per sentence. The ending of the path determines the format,
    unless `format` names it. `columns` are the names of the columns, in their order; the default is a selection.
    """
    tables = [name for name, each in FORMATS.items() if each.is_table]
    if format is None and isinstance(target, (str, Path)):
        found = by_ending(target)
        if found is None or not found.is_table:
            endings = ", ".join(ending for name in tables for ending in FORMATS[name].endings)
            raise UsageError(f"{target}: the ending is not that of a table; use {endings}, or name the format")
        format = found.name
    if format not in tables:
        raise UsageError(f"{format!r} is not the name of a table format; choose one of {', '.join(tables)}")
    write(sentences, target, format, columns=columns, rows=rows)


def named(name: str) -> Format:
    """Return the format with this name."""
    if name not in FORMATS:
        raise UsageError(f"no format is called {name!r}; choose one of {', '.join(FORMATS)}")
    return FORMATS[name]


def by_ending(path: str | Path) -> Format | None:
    """Return the format that the ending of the path belongs to, or None."""
    ending = Path(path).suffix.lower()
    return next((format for format in FORMATS.values() if ending in format.endings), None)


def is_for_trees(format: Format) -> bool:
    """Return whether the format can be written and represents trees."""
    return format.write is not None and HEAD not in format.lacks


def readable() -> list[str]:
    """Return the names of the formats that can be read."""
    return [name for name, format in FORMATS.items() if format.read]


def writable() -> list[str]:
    """Return the names of the formats that can be written."""
    return [name for name, format in FORMATS.items() if format.write]


def _losses(format: Format, columns: Sequence[str] | None) -> Losses:
    """Return the counter of losses. For CoNLL-U Plus, these are the columns that the file does not have."""
    if columns is None:
        return Losses(format.lacks, format.kept)
    return Losses([name for name in COLUMNS if name not in columns], columns)


def _lazy(module: str, name: str) -> Callable[..., Any]:
    """Return a function that imports a module of this package and calls its function `name`."""
    def call(*arguments: Any, **options: Any) -> Any:
        return getattr(import_module(f"gardenpath.formats.{module}"), name)(*arguments, **options)

    return call


def _read_json(source: Source) -> Iterator[Sentence]:
    with opened(source) as file:
        content = file.read()
    try:
        yield from Document.from_json(content)
    except InputError as error:
        raise InputError(f"{source_name(source)}: {error}") from None


def _read_udpipe(format: str) -> Reader:
    to_conllu, read_pieces = _lazy("udpipe", "to_conllu"), _lazy("text", "read_pieces")

    def read_all(source: Source) -> Iterator[Sentence]:
        text = "".join(piece.text for piece in read_pieces(source))
        try:
            yield from read_conllu(BytesIO(to_conllu(text, format).encode()))
        except InputError as error:
            raise InputError(f"{source_name(source)}: {error}") from None

    return read_all


def _text(parts: Callable[..., Iterable[str]]) -> Writer:
    """Make a writer from a function that yields the output as strings."""
    def write_parts(sentences: Iterable[Sentence], target: Target, **options: Any) -> None:
        if isinstance(target, (str, Path)):
            with replacing(target) as file:
                write_parts(sentences, file, **options)
            return
        for part in parts(sentences, **options):
            target.write(part.encode())

    return write_parts


def _each(to_text: Callable[[Sentence], str]) -> Writer:
    """Make a writer from a function that converts one sentence."""
    return _text(lambda sentences: map(to_text, sentences))


def _whole(to_text: Callable[[Document], str]) -> Writer:
    """Make a writer from a function that converts the whole document."""
    return _text(lambda sentences: [to_text(Document.of(sentences))])


def _write_udpipe(format: str) -> Writer:
    from_conllu = _lazy("udpipe", "from_conllu")
    return _whole(lambda document: from_conllu(document.to_conllu(), format))


def _sheet(format: str) -> Writer:
    """Make the writer of rows in this format."""
    make = _lazy("sheets", "sheet_writer")

    def write_sheet(sentences: Iterable[Sentence], target: Target, **options: Any) -> None:
        make(format)(sentences, target, **options)

    return write_sheet


_BARE = (COMMENTS, RANGES, EMPTY_NODES)
_SPACING = ("SpaceAfter", "SpacesAfter", "SpacesBefore")
_DRAWN = (*_BARE, "LEMMA", "XPOS", "FEATS", "DEPS", MISC)      # what tree drawings do not show
_NO_TREE = (*_BARE, *COLUMNS)
FORMATS = {format.name: format for format in (
    Format("conllu", "CoNLL-U", (".conllu",), read_conllu, _text(conllu_parts)),
    Format(
        "conllx", "CoNLL-X", (".conllx", ".conll"), _lazy("conllx", "read_conllx"), _each(_lazy("conllx", "to_conllx")),
        (*_BARE, SPACES, "DEPS", MISC), ("PHEAD", "PDEPREL"),
    ),
    Format("conll09", "CoNLL-2009", (".conll09",), _lazy("conll09", "read_conll09")),
    Format(
        "conllup", "CoNLL-U Plus", (".conllup", ".cupt"), _lazy("conllup", "read_conllup"),
        _text(_lazy("conllup", "conllup_parts")), options=("columns",),
    ),
    Format(
        "parquet", "Parquet", (".parquet",), _lazy("arrow", "read_parquet"), _lazy("arrow", "write_parquet"),
        options=("nested", "columns", "rows"), is_binary=True, is_table=True,
    ),
    Format(
        "arrow", "Arrow", (".arrow", ".feather"), _lazy("arrow", "read_arrow"), _lazy("arrow", "write_arrow"),
        options=("nested", "columns", "rows"), is_binary=True, is_table=True,
    ),
    *(
        Format(
            name, name.upper(), (f".{name}",), None, _sheet(name), (RANGES, EMPTY_NODES), options=("columns", "rows"),
            is_table=True,
        )
        for name in ("csv", "tsv", "xlsx")
    ),
    Format("json", "JSON", (".json",), _read_json, _text(_lazy("json", "json_parts"))),
    Format(
        "displacy", "displaCy", (), None,
        _whole(lambda document: json.dumps(document.to_displacy(), ensure_ascii=False) + "\n"), _DRAWN,
    ),
    Format("tree", "Text tree", (), None, _each(_lazy("text_tree", "with_text")), _DRAWN),
    Format("dot", "DOT", (".dot", ".gv"), None, _whole(Document.to_dot), _DRAWN),
    Format("tikz", "tikz-dependency", (".tex",), None, _each(Sentence.to_tikz), _DRAWN),
    Format("svg", "SVG", (".svg",), None, _whole(Document.to_svg), (COMMENTS, EMPTY_NODES, "DEPS", MISC)),
    Format(
        "brat", "brat", (".ann",), None, _lazy("brat", "write_brat"),
        (COMMENTS, EMPTY_NODES, "LEMMA", "XPOS", "FEATS", "DEPS", MISC), _SPACING,
    ),
    Format(
        "horizontal", "UDPipe's horizontal format", (), _read_udpipe("horizontal"), _write_udpipe("horizontal"),
        _NO_TREE,
    ),
    Format(
        "vertical", "UDPipe's vertical format", (".vert",), _read_udpipe("vertical"), _write_udpipe("vertical"),
        _NO_TREE,
    ),
    Format(
        "plaintext", "plain text", (".txt",), None, _write_udpipe("plaintext"), (COMMENTS, EMPTY_NODES, *COLUMNS),
        _SPACING,
    ),
    Format("matxin", "Matxin", (), None, _write_udpipe("matxin"), (*_BARE, "UPOS", "XPOS", "DEPS", MISC)),
    Format("epe", "EPE", (".epe",), None, _write_udpipe("epe"), (*_BARE, "DEPS", MISC)),
)}
