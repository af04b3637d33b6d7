"""What can be searched: sentences, documents, files and folders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from gardenpath.batches import batches
from gardenpath.errors import InputError, UsageError
from gardenpath.formats import registry
from gardenpath.formats.conllu import blocks
from gardenpath.formats.document import Sentence
from gardenpath.formats.treebank_folder import conllu_files


class _File(NamedTuple):
    """A CoNLL-U file."""

    path: str | Path


def chunks_of(searched: Any, size: int) -> Iterator[list[Any]]:
    """Yield lists of about `size` words: of sentences, or of blocks of lines from CoNLL-U files (see `FileIndex`)."""
    for is_file, parts in groupby(_parts(searched), lambda part: isinstance(part, _File)):
        if is_file:
            for file in parts:
                yield from batches(blocks(file.path), size, lambda block: len(block[2]))
        else:
            yield from batches(parts, size)


def _parts(searched: Any) -> Iterator[Any]:
    """Yield sentences, and files whose lines are searched."""
    if isinstance(searched, Sentence):
        yield searched
    elif isinstance(searched, (str, Path)):
        for path in conllu_files(searched):
            format = _format(path)
            yield from (_File(path),) if format == "conllu" else registry.read(path, format)
    elif isinstance(searched, Iterable):
        for each in searched:
            yield from _parts(each)
    else:
        kind = type(searched).__name__
        raise UsageError(f"cannot search {kind!r}; give sentences, a document, or the path of a CoNLL-U file")


def _format(path: str | Path) -> str:
    """Return the format of a file by its ending; files with unknown endings and standard input are CoNLL-U."""
    found = None if path == "-" else registry.by_ending(path)
    if found is not None and found.read is None:
        raise InputError(f"{path}: {found.title} has no trees; parse it first (gardenpath parse {path} -o FILE.conllu)")
    return found.name if found else "conllu"
