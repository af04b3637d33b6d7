"""fastText's model files (`.bin`): settings, dictionary, and a matrix with rows for words and for character n-grams.

All numbers are little-endian. The vector of a word is the mean of its own row and those of its n-grams (Bojanowski et
al., TACL 2017). Words come first in the matrix. N-grams have no rows of their own: their hashes choose one of the
buckets that follow.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterator
from itertools import repeat
from typing import NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.features.vector_rows import VectorRows
from gardenpath.features.vector_source import LARGEST_DIMENSION, LONGEST_WORD, PIECE, VectorSource, shown

FASTTEXT = struct.pack("<i", 793712314)       # the first bytes of every model
_VERSIONS = (11, 12)
_SUPERVISED = 3          # number of the kind of model that classifies texts
_LONGEST_NGRAM = 30      # in characters; fastText's default is 6
_END_OF_SENTENCE = b"</s>"


class _Model(NamedTuple):
    """What the beginning of a fastText model says about its vectors."""

    dimension: int
    words: int
    buckets: int
    shortest: int            # length of n-grams in characters
    longest: int             # 0 without n-grams


def read_fasttext(source: VectorSource, rows: VectorRows) -> NDArray[np.float32]:
    """Read a fastText model, and return the vectors of the words that are kept."""
    model, words, numbers = _read_dictionary(source, rows)
    if source.read(1) != b"\0":
        _refuse(source)
    start = source.offset
    height, width = struct.unpack("<qq", source.read(16))
    if width != model.dimension or height < model.words + (model.buckets if model.longest else 0):
        source.fail_at_byte(start, f"{height} rows with {width} numbers do not fit the dictionary of the model")
    source.require(4 * height * width, f"{height} rows with {width} numbers each")
    start = source.offset
    vectors = _own_rows(source, model, numbers)
    if model.longest:
        with np.errstate(invalid="ignore", over="ignore"):      # checked below
            _add_ngrams(source, model, words, vectors)
    finite = np.isfinite(vectors).all(axis=1)
    if not finite.all():
        wrong = int(np.argmin(finite))
        offset = start + 4 * width * numbers[wrong]
        source.fail_at_byte(offset, f"the vector of {shown(words[wrong])} contains a number that is not finite")
    return vectors


def _read_dictionary(source: VectorSource, rows: VectorRows) -> tuple[_Model, list[bytes], list[int]]:
    """Read everything before the matrix: return the model, the words that are kept and their numbers."""
    version, dimension, *_, kind, buckets, shortest, longest, _, _ = struct.unpack("<4x13id", source.read(64))
    if version not in _VERSIONS:
        versions = " and ".join(map(str, _VERSIONS))
        raise InputError(
            f"{source.path}: this is a fastText model of version {version}, and only {versions} are supported; use the "
            ".vec file of the same vectors"
        )
    start = source.offset
    size, count, labels, _, pruned = struct.unpack("<3i2q", source.read(28))
    if pruned >= 0:          # only quantised models are pruned
        _refuse(source)
    if version == 11 and kind == _SUPERVISED:
        longest = 0
    valid = 1 <= dimension <= LARGEST_DIMENSION and shortest >= 0 and 0 <= longest <= _LONGEST_NGRAM
    if not valid or (longest and buckets < 1) or min(buckets, count, labels) < 0 or size != count + labels:
        source.fail_at_byte(start, "the sizes of the fastText model are not valid")
    source.require(10 * size, f"{size} words")
    words: list[bytes] = []
    numbers: list[int] = []
    for number in range(size):
        word = source.until(b"\0", LONGEST_WORD, "word")
        if word is None:
            source.fail_as_truncated()
        source.read(9)                   # its count, and whether it is a label
        if number < count and (row := rows.place(word)) is not None:
            words[row:row + 1] = [word]
            numbers[row:row + 1] = [number]
    return _Model(dimension, count, buckets, shortest, longest), words, numbers


def _own_rows(source: VectorSource, model: _Model, numbers: list[int]) -> NDArray[np.float32]:
    """Read the rows of all words, and return those with these numbers."""
    wanted = np.sort(np.array(numbers, np.int64))
    kept = bytearray()
    for first, rows in _rows(source, model.words, model.dimension):
        begin, end = np.searchsorted(wanted, (first, first + len(rows)))
        kept += rows[wanted[begin:end] - first].tobytes()
    vectors = np.frombuffer(kept, np.float32).reshape(-1, model.dimension)
    return vectors if numbers == sorted(numbers) else vectors[np.searchsorted(wanted, numbers)]


def _add_ngrams(source: VectorSource, model: _Model, words: list[bytes], vectors: NDArray[np.float32]) -> None:
    """Read the rows of n-grams, and replace the vector of each word by the mean of its rows."""
    owners, buckets = array("i"), array("i")
    for number, word in enumerate(words):
        buckets.extend(ngram_buckets(word, model.shortest, model.longest, model.buckets))
        owners.extend(repeat(number, len(buckets) - len(owners)))
    order = np.argsort(np.array(buckets, np.int32), kind="stable")
    owner, bucket = np.array(owners, np.int32)[order], np.array(buckets, np.int32)[order]
    for first, rows in _rows(source, model.buckets, model.dimension):
        begin, end = np.searchsorted(bucket, (first, first + len(rows)))
        np.add.at(vectors, owner[begin:end], rows[bucket[begin:end] - first])
    vectors /= 1 + np.bincount(owner, minlength=len(words)).astype(np.float32)[:, np.newaxis]


def _rows(source: VectorSource, height: int, width: int) -> Iterator[tuple[int, NDArray[np.float32]]]:
    """Read a matrix in pieces: yield the number of the first row and the rows."""
    step = max(1, PIECE // (4 * width))
    for first in range(0, height, step):
        count = min(step, height - first)
        yield first, np.frombuffer(source.read(4 * width * count), "<f4").reshape(count, width)


def ngram_buckets(word: bytes, shortest: int, longest: int, buckets: int) -> Iterator[int]:
    """Yield the buckets of a word's n-grams, as `Dictionary::computeSubwords` of fastText does.

    An n-gram has `shortest` to `longest` characters of the word between `<` and `>`, but is not `<` or `>` alone. Its
    bucket is its hash: 32-bit FNV-1a, where bytes are signed.
    """
    if word == _END_OF_SENTENCE:
        return
    text = b"<" + word + b">"
    starts = [place for place, byte in enumerate(text) if byte & 0xC0 != 0x80] + [len(text)]
    for first in range(len(starts) - 1):
        value = 2166136261
        for last in range(first + 1, min(first + longest, len(starts) - 1) + 1):
            for byte in text[starts[last - 1]:starts[last]]:
                value = ((value ^ (byte if byte < 128 else byte | 0xFFFFFF00)) * 16777619) & 0xFFFFFFFF
            length = last - first
            if length >= shortest and not (length == 1 and (first == 0 or last == len(starts) - 1)):
                yield value % buckets


def _refuse(source: VectorSource) -> NoReturn:
    """Raise an error about a quantised model."""
    raise InputError(
        f"{source.path}: this fastText model is quantised (.ftz); use the .bin or .vec file of the same vectors"
    )
