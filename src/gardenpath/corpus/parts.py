"""The output files of a shard: the part itself, and a file with its failures."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from gardenpath.corpus.documents import Failed
from gardenpath.corpus.parsing import Output
from gardenpath.corpus.plan import TABLES, CorpusSettings
from gardenpath.files import replacing
from gardenpath.formats import registry
from gardenpath.formats.document import Sentence

_GZIP_LEVEL = 6
_ZSTANDARD_LEVEL = 3
_IN_MEMORY = 1 << 20


def part_name(label: str, settings: CorpusSettings) -> str:
    """Return the file name of a part."""
    ending = "" if settings.compress == "none" else f".{settings.compress}"
    return f"part-{label}.{settings.format}{ending}"


def failed_name(label: str) -> str:
    """Return the file name for the failures of a part."""
    return f"failed-{label}.jsonl"


def write_part(outputs: Iterable[Output | Failed], label: str, folder: Path, settings: CorpusSettings) -> None:
    """Write the output of a shard. The failures are written first, so that a part that exists is complete."""
    with SpooledTemporaryFile(_IN_MEMORY) as failures, replacing(folder / part_name(label, settings)) as file:
        _write(_without_failures(outputs, failures), file, settings)
        if failures.tell():
            _copy(failures, folder / failed_name(label))


def _without_failures(outputs: Iterable[Output | Failed], failures: IO[bytes]) -> Iterator[Output]:
    for output in outputs:
        if isinstance(output, Failed):
            failures.write(json.dumps(asdict(output), ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")
        else:
            yield output


def _write(outputs: Iterator[Output], file: IO[bytes], settings: CorpusSettings) -> None:
    with _compressing(file, settings.compress) as target:
        if settings.format in TABLES:
            options = {"nested": True} if settings.nested else {"columns": settings.columns}
            sentences = (output for output in outputs if isinstance(output, Sentence))
            registry.write(sentences, target, settings.format, **options)
            return
        for output in outputs:
            target.write(output)


@contextmanager
def _compressing(file: IO[bytes], compression: str) -> Iterator[Any]:
    """Open a file that compresses what is written to it, always to the same bytes."""
    if compression == "gz":
        with gzip.GzipFile("", "wb", _GZIP_LEVEL, file, mtime=0) as target:
            yield target
    elif compression == "zst":
        import zstandard

        with zstandard.ZstdCompressor(_ZSTANDARD_LEVEL).stream_writer(file, closefd=False) as target:
            yield target
    else:
        yield file


def _copy(content: IO[bytes], path: Path) -> None:
    content.seek(0)
    with replacing(path) as file:
        while block := content.read(_IN_MEMORY):
            file.write(block)
