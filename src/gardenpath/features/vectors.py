"""Pretrained word vectors: files of GloVe, word2vec and fastText, plain or compressed with gzip."""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.features.vector_fasttext import FASTTEXT, read_fasttext
from gardenpath.features.vector_rows import VectorRows, lower_case
from gardenpath.features.vector_source import VectorSource, opened_source
from gardenpath.features.vector_text import read_header, read_text
from gardenpath.features.vector_word2vec import is_binary, read_word2vec

__all__ = ["Vectors", "lower_case", "quantised", "read_vectors"]

_ARCHIVES = {
    b"PK\x03\x04": "a zip archive",
    b"\xfd7zXZ\0": "compressed with xz",
    b"BZh": "compressed with bzip2",
    b"(\xb5/\xfd": "compressed with Zstandard",
    b"7z\xbc\xaf": "a 7z archive",
}
_LARGEST = 127           # largest 8-bit number, used with both signs


@dataclass(frozen=True, eq=False)
class Vectors:
    """Word vectors in the order of the file, which is usually by frequency.

    `rows` has the vector of each word. `skipped` is the number of words that were left out because they are empty or
    not UTF-8.
    """

    words: list[str]
    rows: NDArray[np.float32]
    skipped: int = 0

    @property
    def dimension(self) -> int:
        """The number of numbers in a vector."""
        return self.rows.shape[1]

    def __len__(self) -> int:
        return len(self.words)


def read_vectors(
    path: str | Path, *, limit: int | None, wanted: Callable[[str], bool] | Set[str] | None = None,
    lowered: bool = False,
) -> Vectors:
    """Read word vectors. The content of the file determines the format.

    The first `limit` words are kept (None: all words), and all other words that are in `wanted`, or for which `wanted`
    returns true. If the file has a word twice, the first vector is used.

    With `lowered`, the words of the result are in lower case, and `limit` and `wanted` apply to them. If the file has a
    word with and without capitals, the lower-case one is used, otherwise the first one.

    A file that is damaged or in another format raises `InputError`.
    """
    rows = VectorRows(limit, wanted, lowered)
    with opened_source(path) as source:
        vectors = _read(source, rows)
    return Vectors(rows.words, vectors, rows.skipped)


def _read(source: VectorSource, rows: VectorRows) -> NDArray[np.float32]:
    """Read a file in any format, and return the vectors of the words that are kept."""
    head = source.peek(16)
    if not head:
        raise InputError(f"{source.path}: the file is empty; download it again")
    for start, kind in _ARCHIVES.items():
        if head.startswith(start):
            raise InputError(f"{source.path}: the file is {kind}; unpack it, and use the file of vectors in it")
    if head.startswith(FASTTEXT):
        return read_fasttext(source, rows)
    header = read_header(source)
    if header and is_binary(source, header):
        return read_word2vec(source, header, rows)
    return read_text(source, header, rows)


def quantised(rows: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return vectors in 8 bits per number and the scale of each row: a value is the 8-bit number times the scale."""
    scales = np.abs(rows).max(axis=1, initial=0).astype(np.float32) / np.float32(_LARGEST)
    scales[scales == 0] = 1
    numbers = rows / scales[:, np.newaxis]
    np.rint(numbers, out=numbers)
    np.clip(numbers, -_LARGEST, _LARGEST, out=numbers)       # the scale of tiny numbers is not precise
    return numbers.astype(np.int8), scales
