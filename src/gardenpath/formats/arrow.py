"""Documents as Arrow tables and Parquet files, with one row per word or per sentence.

Files are read and written in batches, so memory use does not grow with the file.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import IO, Any, NamedTuple

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
    return _sentences(table.schema, table.to_batches(max_chunksize=BATCH), "Arrow table")


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
        if nested:
            yield arrow.RecordBatch.from_pylist([_nested_row(each) for each in group], schema(nested))
        else:
            found = [row for each in group for row in rows(each)]
            columns = {column: [row[i] for row in found] for i, column in enumerate(COLUMNS)}
            yield arrow.RecordBatch.from_pydict(columns, schema(nested))


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
        except (the_pyarrow().ArrowException, OSError) as error:
            raise InputError(f"{name}: {str(error).partition(chr(10))[0]}; give a file in {kind}") from None


def _sentences(found: Any, batches: Iterable[Any], name: str) -> Iterator[Sentence]:
    if not _is_nested(found):
        return read_tables((batch.to_pydict() for batch in batches), name)
    entries = (entry for batch in batches for entry in batch.to_pylist())
    return (_nested_sentence(entry, f"{name}: sentence {number}") for number, entry in enumerate(entries, 1))


def _is_nested(found: Any) -> bool:
    """Return whether each row is a sentence."""
    types = the_pyarrow().types
    if "words" not in found.names:
        return False
    words = found.field("words").type
    return (types.is_list(words) or types.is_large_list(words)) and types.is_struct(words.value_type)


def _nested_sentence(entry: dict[str, Any], place: str) -> Sentence:
    found = []
    for kind, part in _PARTS.items():
        fields = [part.fields.get(column) for column in _AFTER_KIND]
        for struct in entry.get(part.name) or ():
            found.append(Row(None, None, None, None, kind, *(struct.get(field) for field in fields)))
    found.sort(key=lambda row: (row.id or 0, _ORDER.index(str(row.kind)), row.nth or 0))
    described = [f"# {key} = {entry[key]}" for key in ("sent_id", "text") if entry.get(key)]
    comments = entry.get("comments", described) or []
    return sentence_of(found, comments, place) if found else Sentence(comments=list(comments), place=place)


def the_pyarrow() -> Any:
    """Import pyarrow, or raise a `UsageError` if it is not installed."""
    if find_spec("pyarrow") is None:
        raise UsageError("Arrow and Parquet need pyarrow; run `pip install 'gardenpath[tables]'`")
    import pyarrow

    return pyarrow
