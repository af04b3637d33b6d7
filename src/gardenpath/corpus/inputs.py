"""The input files of a corpus: which ones, their kind and their compression."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from gardenpath.errors import InputError, UsageError
from gardenpath.files import files_in
from gardenpath.formats.encoding_guess import UTF8
from gardenpath.formats.encodings import AUTO, detected

TEXTS = ("text", "lines", "tokens")
KINDS = (*TEXTS, "conllu", "jsonl", "parquet")
INPUTS = (AUTO, *KINDS)
COMPRESSIONS = ("none", "gz", "zst")
_ENDINGS = {".txt": "text", ".jsonl": "jsonl", ".ndjson": "jsonl", ".conllu": "conllu", ".parquet": "parquet"}


@dataclass(frozen=True, slots=True)
class Input:
    """An input file: its path, its name in the output, its kind and its compression.

    `size` and `modified` are those at the time of planning.
    """

    path: str
    name: str
    kind: str
    compression: str
    size: int
    modified: int            # nanoseconds since 1970
    encoding: str = UTF8     # `auto` if it is detected while a compressed file is read

    @property
    def is_stream(self) -> bool:
        """Whether the content differs from the bytes of the file, so that it is read from the beginning."""
        return self.compression != "none" or self.encoding != UTF8

    def is_here(self) -> bool:
        """Return whether this machine has the file, unchanged."""
        try:
            status = os.stat(self.path)
        except OSError:
            return False
        return (status.st_size, status.st_mtime_ns) == (self.size, self.modified)


def find_inputs(given: Iterable[str | Path], kind: str, output: Path, encoding: str = UTF8) -> list[Input]:
    """Return the given files and the files in the given folders, in sorted order.

    Files of other kinds in a folder are skipped, and so is the output folder.
    """
    if kind not in INPUTS:
        raise UsageError(f"there is no input kind {kind!r}; choose one of: {', '.join(INPUTS)}")
    inputs = [_input(path, kind, encoding) for each in given for path in _files(Path(each), kind, output)]
    if not inputs:
        raise InputError(
            f"there is nothing to parse: no file name ends with {', '.join(_ENDINGS)}, with or without .gz or .zst; "
            "give the files by name"
        )
    name, times = Counter(each.name for each in inputs).most_common(1)[0]
    if times > 1:
        raise UsageError(f"{name} is given twice; give it once")
    return inputs


def _files(path: Path, kind: str, output: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    for file in files_in(path, output):
        found = kind_of(file.name)
        if found and (kind == AUTO or found == ("text" if kind in TEXTS else kind)):
            yield file


def kind_of(name: str) -> str | None:
    """Return the kind of a file with this name, or None if the name does not show it."""
    return _ENDINGS.get(Path(name.removesuffix(f".{compression_of(name)}")).suffix)


def compression_of(name: str) -> str:
    """Return the compression of a file with this name."""
    return next((each for each in COMPRESSIONS[1:] if name.endswith(f".{each}")), "none")


def _input(path: Path, kind: str, encoding: str) -> Input:
    compression = compression_of(path.name)
    known = kind_of(path.name) if kind == AUTO else kind
    if known is None:
        raise UsageError(
            f"{path}: the file name does not show the kind of input; give --input {', '.join(KINDS[:-1])} or "
            f"{KINDS[-1]}"
        )
    if known == "parquet" and compression != "none":
        raise InputError(
            f"{path}: compressed Parquet files cannot be read, because Parquet is compressed itself; decompress the "
            "file"
        )
    if compression == "zst":
        require_zstandard()
    status = path.stat()
    if known == "parquet":
        encoding = UTF8
    elif encoding == AUTO and compression == "none":
        encoding = _detected(path)
    place, name = str(path.absolute()), path.as_posix()
    return Input(place, name, known, compression, status.st_size, status.st_mtime_ns, encoding)


def _detected(path: Path) -> str:
    """Return the encoding of a file; if it is unclear, UTF-8, so that reading the file reports the reason."""
    try:
        return detected(path)
    except InputError:
        return UTF8


def require_zstandard() -> None:
    """Raise `UsageError` if zstandard is not installed."""
    if find_spec("zstandard") is None:
        raise UsageError(".zst files need zstandard; install it with: pip install 'gardenpath[corpus]'")
