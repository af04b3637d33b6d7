"""The files of a corpus: which they are, what is in them, and how they are compressed."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from gardenpath.errors import InputError, UsageError

AUTO = "auto"
TEXTS = ("text", "lines", "tokens")
KINDS = (*TEXTS, "conllu", "jsonl", "parquet")
INPUTS = (AUTO, *KINDS)
COMPRESSIONS = ("none", "gz", "zst")
_ENDINGS = {".txt": "text", ".jsonl": "jsonl", ".ndjson": "jsonl", ".conllu": "conllu", ".parquet": "parquet"}


@dataclass(frozen=True, slots=True)
class Input:
    """A file: where it is, how it is called in the output, what is in it, and what it was like when the corpus was planned."""

    path: str
    name: str
    kind: str
    compression: str
    size: int
    modified: int            # nanoseconds since 1970

    def is_here(self) -> bool:
        """Does this machine have it, as it was?"""
        try:
            status = os.stat(self.path)
        except OSError:
            return False
        return (status.st_size, status.st_mtime_ns) == (self.size, self.modified)


def find_inputs(given: Iterable[str | Path], kind: str, output: Path) -> list[Input]:
    """The files that are given, and those in folders that are given, in sorted order; what a folder has of other kinds is passed over, and so is the output."""
    if kind not in INPUTS:
        raise UsageError(f"no input is called {kind!r}; there are {', '.join(INPUTS)}")
    inputs = [_input(path, kind) for each in given for path in _files(Path(each), kind, output.resolve())]
    if not inputs:
        raise InputError(f"nothing to parse: no file there ends with {', '.join(_ENDINGS)}, with or without .gz or .zst; name the files themselves")
    name, times = Counter(each.name for each in inputs).most_common(1)[0]
    if times > 1:
        raise UsageError(f"{name} is given twice; give it once")
    return inputs


def _files(path: Path, kind: str, output: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and (Path(folder) / name).resolve() != output)
        for name in sorted(names):
            found = kind_of(name)
            if not name.startswith(".") and found and (kind == AUTO or found == ("text" if kind in TEXTS else kind)):
                yield Path(folder) / name


def kind_of(name: str) -> str | None:
    """What a file of this name has in it."""
    return _ENDINGS.get(Path(name.removesuffix(f".{compression_of(name)}")).suffix)


def compression_of(name: str) -> str:
    """How a file of this name is compressed."""
    return next((each for each in COMPRESSIONS[1:] if name.endswith(f".{each}")), "none")


def _input(path: Path, kind: str) -> Input:
    compression = compression_of(path.name)
    known = kind_of(path.name) if kind == AUTO else kind
    if known is None:
        raise UsageError(f"{path}: its name does not tell what is in it; say so with --input {', '.join(KINDS[:-1])} or {KINDS[-1]}")
    if known == "parquet" and compression != "none":
        raise InputError(f"{path}: Parquet is compressed inside, and cannot be read from within another compression; decompress the file")
    if compression == "zst":
        require_zstandard()
    status = path.stat()
    return Input(str(path.absolute()), path.as_posix(), known, compression, status.st_size, status.st_mtime_ns)


def require_zstandard() -> None:
    """See to it that zstandard is there; raise `UsageError` if it is not."""
    if find_spec("zstandard") is None:
        raise UsageError("files in .zst need zstandard: pip install 'gardenpath[corpus]'")
