"""The output files of a shard: the part itself, and files with its failures and its warnings."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from gardenpath.corpus.documents import Failed, Warned
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


def language_name(label: str) -> str:
    """Return the file name for the documents of a part that are probably not in the language of the model."""
    return f"language-{label}.jsonl"


def write_part(
    outputs: Iterable[Output | Failed | Warned], label: str, folder: Path, settings: CorpusSettings,
) -> None:
    """Write the output of a shard. Failures and warnings are written first, so that a part that exists is complete."""
    with (
        SpooledTemporaryFile(_IN_MEMORY) as failures, SpooledTemporaryFile(_IN_MEMORY) as warnings,
        replacing(folder / part_name(label, settings)) as file,
    ):
        _write(_parsed(outputs, failures, warnings), file, settings)
        for lines, name in ((failures, failed_name(label)), (warnings, language_name(label))):
            if lines.tell():
                _copy(lines, folder / name)


def _parsed(
    outputs: Iterable[Output | Failed | Warned], failures: IO[bytes], warnings: IO[bytes],
) -> Iterator[Output]:
    """Yield what was parsed; write failures and warnings as lines of JSON."""
    for output in outputs:
        if isinstance(output, (Failed, Warned)):
            line = json.dumps(asdict(output), ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"
            (failures if isinstance(output, Failed) else warnings).write(line)
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
