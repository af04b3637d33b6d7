"""What can be searched: sentences, documents, files and folders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError, UsageError
from gardenpath.formats import registry
from gardenpath.formats.document import Sentence


def sentences_of(searched: Any) -> Iterator[Sentence]:
    """Yield the sentences of whatever can be searched."""
    if isinstance(searched, Sentence):
        yield searched
    elif isinstance(searched, (str, Path)):
        for path in _files(searched):
            yield from registry.read(path, _format(path))
    elif isinstance(searched, Iterable):
        for each in searched:
            yield from sentences_of(each)
    else:
        kind = type(searched).__name__
        raise UsageError(f"cannot search {kind!r}; give sentences, a document, or the path of a CoNLL-U file")


def _format(path: str | Path) -> str:
    """Return the format of a file by its ending; files with unknown endings and standard input are CoNLL-U."""
    found = None if path == "-" else registry.by_ending(path)
    if found is not None and found.read is None:
        raise InputError(f"{path}: {found.title} has no trees; parse it first (gardenpath parse {path} -o FILE.conllu)")
    return found.name if found else "conllu"


def _files(path: str | Path) -> Iterator[str | Path]:
    """Yield a file, or all CoNLL-U files of a folder and its folders."""
    if path == "-" or not Path(path).is_dir():
        yield path
        return
    files = sorted(Path(path).rglob("*.conllu"))
    if not files:
        raise InputError(f"{path}: the folder has no files *.conllu; parse its texts first, or name the files")
    yield from files
