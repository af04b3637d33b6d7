"""Documents as Arrow tables and Parquet files, with one row per word or per sentence.

Files are read and written in batches, so memory use does not grow with the file.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from gardenpath.errors import InputError, UsageError
from gardenpath.files import opened, replacing
from gardenpath.formats.columns import WORDS, Table, table_of
from gardenpath.formats.conllu import Source, source_name
from gardenpath.formats.document import Sentence
from gardenpath.formats.table import (
    COLUMNS,
    CONFIDENCES,
    EMPTY_NODE,
    NUMBERS,
    RANGE,
    WORD,
    Numbered,
    Row,
    numbered,
    read_tables,
    rows,
    sentence_of,
)

GROUP = 2_000            # sentences written at once, as one row group of Parquet
BATCH = 10_000           # rows read at once
_NODE = COLUMNS[COLUMNS.index("form") : COLUMNS.index("conf_upos")]
_AFTER_KIND = COLUMNS[COLUMNS.index("kind") + 1 :]


class _Part(NamedTuple):
    """A list column in the row of a sentence."""

    name: str
    fields: dict[str, str]           # from columns of the word table to field names of this list


_PARTS = {
    WORD: _Part("words", {"id": "id", **{column: column for column in (*_NODE, *CONFIDENCES)}}),
    RANGE: _Part("ranges", {"id": "first", "last": "last", **{column: column for column in _NODE}}),
    # Empty nodes have no `start` and `end`.
    EMPTY_NODE: _Part("empty_nodes", {"id": "after", "nth": "index", **{column: column for column in _NODE[:-2]}}),
}
_ORDER = (RANGE, WORD, EMPTY_NODE)   # the order of nodes with the same `id`


def to_arrow(sentences: Iterable[Sentence], *, nested: bool = False) -> Any:
    """Convert sentences to a `pyarrow.Table`."""
    arrow = the_pyarrow()
    return arrow.Table.from_batches(_batches(sentences, nested), schema(nested))


def from_arrow(table: Any) -> Iterator[Sentence]:
    """Read the sentences of a `pyarrow.Table` whose rows are words or sentences."""
    try:
        yield from _sentences(table.schema, table.to_batches(max_chunksize=BATCH), "Arrow table")
    except the_pyarrow().ArrowException as error:
        raise _unreadable("Arrow table", error) from None


def write_parquet(
    sentences: Iterable[Sentence], target: str | Path | IO[bytes], *, nested: bool = False,
    columns: Sequence[str] | None = None, rows: str = WORDS,
) -> None:
    """Write a Parquet file with one row per word, or per sentence if `nested`.

    With `columns` or `rows="sentences"`, the table has only the chosen columns; see `write_table`. `sentences` may be
    read lazily from the file that is replaced.
    """
    the_pyarrow()
    from pyarrow.parquet import ParquetWriter

    found = _content(sentences, nested, columns, rows)
    _write(found.batches, target, lambda file: ParquetWriter(file, found.schema, compression="zstd"))


def write_arrow(
    sentences: Iterable[Sentence], target: str | Path | IO[bytes], *, nested: bool = False,
    columns: Sequence[str] | None = None, rows: str = WORDS,
) -> None:
    """Write an Arrow file (IPC, also called Feather); see `write_parquet`."""
    arrow = the_pyarrow()
    found = _content(sentences, nested, columns, rows)
    _write(found.batches, target, lambda file: arrow.ipc.new_file(file, found.schema))


def read_parquet(source: Source) -> Iterator[Sentence]:
    """Read the sentences of a Parquet file one by one. Its rows are words or sentences."""
    the_pyarrow()
    from pyarrow.parquet import ParquetFile

    def parts(file: IO[bytes]) -> tuple[Any, Iterator[Any]]:
        parquet = ParquetFile(file)
        found = parquet.schema_arrow
        return found, parquet.iter_batches(batch_size=BATCH // 20 if _is_nested(found) else BATCH)

    return _read(source, "Parquet", parts)


def read_arrow(source: Source) -> Iterator[Sentence]:
    """Read the sentences of an Arrow file (IPC, also called Feather) one by one."""
    arrow = the_pyarrow()

    def parts(file: IO[bytes]) -> tuple[Any, Iterator[Any]]:
        reader = arrow.ipc.open_file(file)
        return reader.schema, map(reader.get_batch, range(reader.num_record_batches))

    return _read(source, "Arrow", parts)


def schema(nested: bool) -> Any:
    """Return the columns and their types."""
    arrow = the_pyarrow()

    def kind_of(column: str) -> Any:
        return arrow.int64() if column in NUMBERS else arrow.float64() if column in CONFIDENCES else arrow.string()

    if not nested:
        return arrow.schema([(column, kind_of(column)) for column in COLUMNS])
    structs = {
        part.name: arrow.struct([(field, kind_of(column)) for column, field in part.fields.items()])
        for part in _PARTS.values()
    }
    return arrow.schema([
        ("document", arrow.string()), ("sentence", arrow.int64()), ("sent_id", arrow.string()),
        ("text", arrow.string()), ("comments", arrow.list_(arrow.string())),
        *((name, arrow.list_(struct)) for name, struct in structs.items()),
    ])


class _Content(NamedTuple):
    """A table that is written in batches."""

    schema: Any
    batches: Iterator[Any]


def _content(sentences: Iterable[Sentence], nested: bool, columns: Sequence[str] | None, kind: str) -> _Content:
    if columns is None and kind == WORDS:
        return _Content(schema(nested), _batches(sentences, nested))
    if nested:
        raise UsageError("a nested table has all columns and one row per sentence; leave out `columns` and `rows`")
    arrow, table = the_pyarrow(), table_of(sentences, columns, kind)
    types = {str: arrow.string(), int: arrow.int64(), float: arrow.float64()}
    found = arrow.schema([(column.name, types[column.kind]) for column in table.columns])
    return _Content(found, _chosen_batches(table, found))


def _chosen_batches(table: Table, found: Any) -> Iterator[Any]:
    """Yield record batches of BATCH rows."""
    arrow = the_pyarrow()
    while group := list(islice(table.rows, BATCH)):
        values = zip(*group, strict=True)
        yield arrow.RecordBatch.from_pydict(dict(zip(table.header, map(list, values), strict=True)), found)


def _batches(sentences: Iterable[Sentence], nested: bool) -> Iterator[Any]:
    """Yield record batches of GROUP sentences."""
    arrow = the_pyarrow()
    waiting = numbered(sentences)
    while group := list(islice(waiting, GROUP)):
        try:
            yield _batch(group, nested)
        except (OverflowError, UnicodeEncodeError, arrow.ArrowException) as error:
            raise InputError(
                f"{group[0].sentence.where} or one of the {len(group) - 1:,} sentences after it has a value that Arrow "
                f"cannot represent ({error}); correct it"
            ) from None


def _batch(group: list[Numbered], nested: bool) -> Any:
    batch = the_pyarrow().RecordBatch
    if nested:
        return batch.from_pylist([_nested_row(each) for each in group], schema(nested))
    found = [row for each in group for row in rows(each)]
    columns = {column: [row[i] for row in found] for i, column in enumerate(COLUMNS)}
    return batch.from_pydict(columns, schema(nested))


def _nested_row(found: Numbered) -> dict[str, Any]:
    sentence = found.sentence
    parts: dict[str, list[dict[str, Any]]] = {part.name: [] for part in _PARTS.values()}
    for row in rows(found):
        part = _PARTS[str(row.kind)]
        parts[part.name].append({field: getattr(row, column) for column, field in part.fields.items()})
    return {
        "document": found.document, "sentence": found.number, "sent_id": sentence.sent_id,
        "text": sentence.comment("text"), "comments": sentence.comments, **parts,
    }


def _write(
    batches: Iterable[Any], target: str | Path | IO[bytes], make_writer: Callable[[IO[bytes]], Any],
) -> None:
    if isinstance(target, (str, Path)):
        with replacing(target) as file:
            _write(batches, file, make_writer)
        return
    with make_writer(target) as writer:
        for batch in batches:
            writer.write_batch(batch)


def _read(source: Source, kind: str, parts: Callable[[IO[bytes]], tuple[Any, Iterator[Any]]]) -> Iterator[Sentence]:
    name = source_name(source)
    with opened(source) as file:
        seekable = file if file.seekable() else io.BytesIO(file.read())
        try:
            found, batches = parts(seekable)
            yield from _sentences(found, batches, name)
        except InputError:
            raise
        except (the_pyarrow().ArrowException, OSError, UnicodeDecodeError) as error:
            raise _unreadable(name, error, f"; give a file in {kind}") from None


def _unreadable(name: str, error: Exception, remedy: str = "") -> InputError:
    return InputError(f"{name}: {str(error).partition(chr(10))[0]}{remedy}")


def _sentences(found: Any, batches: Iterable[Any], name: str) -> Iterator[Sentence]:
    checked = map(_validated, batches)
    if not _is_nested(found):
        return read_tables((batch.to_pydict() for batch in checked), name)
    _check_types(found, name)
    entries = (entry for batch in checked for entry in _rows(batch, name))
    return (_nested_sentence(entry, f"{name}: sentence {number}") for number, entry in enumerate(entries, 1))


def _rows(batch: Any, name: str) -> list[dict[str, Any]]:
    """Return the rows of a batch. Arrow cannot convert structures with two fields of the same name."""
    try:
        return cast("list[dict[str, Any]]", batch.to_pylist())
    except ValueError as error:
        raise _unreadable(name, error, "; rename one of the fields") from None


def _validated(batch: Any) -> Any:
    """Check all offsets and strings of a batch. Arrow itself does not, and would read beyond its buffers."""
    batch.validate(full=True)
    return batch


def _check_types(found: Any, name: str) -> None:
    """Raise `InputError` unless the columns of a table whose rows are sentences have types that can be read."""
    types = the_pyarrow().types
    for field in found:
        part = next((part for part in _PARTS.values() if part.name == field.name), None)
        if part and _is_list_of(field.type, types.is_struct):
            columns = {own: column for column, own in part.fields.items()}
            inner = [each for each in field.type.value_type if each.name in columns]
            valid = all(_fits(each.type, columns[each.name]) for each in inner)
        elif field.name == "comments":
            valid = _is_list_of(field.type, _is_text) or types.is_null(field.type)
        else:
            valid = not part and (field.name not in ("sent_id", "text") or _is_text(field.type))
        if not valid:
            raise InputError(f"{name}: the column `{field.name}` has the type {field.type}, which cannot be read there")


def _is_list_of(kind: Any, is_item: Callable[[Any], bool]) -> bool:
    types = the_pyarrow().types
    return bool((types.is_list(kind) or types.is_large_list(kind)) and is_item(kind.value_type))


def _is_text(kind: Any) -> bool:
    """Return whether the values of a column are strings or missing."""
    types = the_pyarrow().types
    inner = kind.value_type if types.is_dictionary(kind) else kind
    return bool(types.is_string(inner) or types.is_large_string(inner) or types.is_null(inner))


def _fits(kind: Any, column: str) -> bool:
    """Return whether values of this type can be in a column."""
    types = the_pyarrow().types
    if column in NUMBERS:
        return bool(types.is_integer(kind) or types.is_null(kind))
    return bool(types.is_floating(kind) or types.is_null(kind)) if column in CONFIDENCES else _is_text(kind)


def _is_nested(found: Any) -> bool:
    """Return whether each row is a sentence."""
    return found.names.count("words") == 1 and _is_list_of(found.field("words").type, the_pyarrow().types.is_struct)


def _nested_sentence(entry: dict[str, Any], place: str) -> Sentence:
    found = []
    for kind, part in _PARTS.items():
        fields = [part.fields.get(column) for column in _AFTER_KIND]
        for struct in entry.get(part.name) or ():
            if struct is None:
                raise InputError(f"{place}: an item of `{part.name}` is missing (null); remove it")
            found.append(Row(None, None, None, None, kind, *(struct.get(field) for field in fields)))
    found.sort(key=lambda row: (row.id or 0, _ORDER.index(str(row.kind)), row.nth or 0))
    described = [f"# {key} = {entry[key]}" for key in ("sent_id", "text") if entry.get(key)]
    comments = entry.get("comments", described) or []
    if None in comments:
        raise InputError(f"{place}: an item of `comments` is missing (null); remove it")
    if found:
        return sentence_of(found, comments, place)
    if any(not comment.startswith("#") or set("\r\n") & set(comment) for comment in comments):
        raise InputError(f"{place}: an item of `comments` is not a comment of CoNLL-U, which is one line after `#`")
    return Sentence(comments=list(comments), place=place)


def the_pyarrow() -> Any:
    """Import pyarrow, or raise a `UsageError` if it is not installed."""
    if find_spec("pyarrow") is None:
        raise UsageError("Arrow and Parquet need pyarrow; run `pip install 'gardenpath[tables]'`")
    import pyarrow

    return pyarrow
