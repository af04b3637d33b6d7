"""Text files of word vectors: a word and its numbers in each line.

GloVe has no header. word2vec and fastText (`.vec`) begin with a line of the number of words and the dimension. Words
may contain spaces, so numbers are counted from the end of the line.
"""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.features.vector_rows import VectorRows
from gardenpath.features.vector_source import LARGEST_DIMENSION, LONGEST_LINE, VectorSource, shown

_HEADER = re.compile(rb"([+-]?\d+)[ \t]+([+-]?\d+)[ \t\r]*(\n|\Z)")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_SAMPLE = 10             # number of lines from which the dimension is determined
_SMALLEST = 2            # smallest dimension without a header; lists of words and counts have one number per line


class VectorHeader(NamedTuple):
    """The first line of the formats of word2vec and of fastText's text format."""

    words: int
    dimension: int

    def __str__(self) -> str:
        return f"{self.words} words with {self.dimension} numbers each"


def read_header(source: VectorSource) -> VectorHeader | None:
    """Read the header, if there is one."""
    if source.peek(len(_BYTE_ORDER_MARK)) == _BYTE_ORDER_MARK:
        source.read(len(_BYTE_ORDER_MARK))
    found = _HEADER.match(source.peek(100))
    if not found:
        return None
    header = VectorHeader(int(found[1]), int(found[2]))
    if header.words < 1 or not 1 <= header.dimension <= LARGEST_DIMENSION:
        source.fail_at_line(1, f"the header announces {header}, which is not possible")
    source.read(found.end())
    return header


def read_text(source: VectorSource, header: VectorHeader | None, rows: VectorRows) -> NDArray[np.float32]:
    """Read the lines after the header, and return the vectors of the words that are kept."""
    if header:
        source.require(2 * header.words * header.dimension, str(header))
    dimension = header.dimension if header else _dimension(source)
    count = 0
    for number, line in enumerate(source.lines(), 2 if header else 1):
        if rows.is_complete:
            return rows.vectors(dimension)
        line = line.rstrip()
        if not line:
            continue
        count += 1
        try:
            word, numbers = _split(line, dimension)
            if (row := rows.place(word)) is not None:
                rows.put(row, _vector(numbers, dimension))
        except ValueError as error:
            source.fail_at_line(number, str(error))
    if header and count != header.words:
        raise InputError(
            f"{source.path}: the header announces {header}, but the file has {count} words; "
            "it is incomplete or damaged; download it again, or correct its first line"
        )
    return rows.vectors(dimension)


def _dimension(source: VectorSource) -> int:
    """Return the most frequent number of numbers in the first lines."""
    head = source.peek(LONGEST_LINE)
    lines = head.split(b"\n", _SAMPLE)[:_SAMPLE]
    if len(head) == LONGEST_LINE and 1 < len(lines) < _SAMPLE:
        del lines[-1]         # it is not complete
    counts = Counter(_numbers_at_end(line.split()) for line in lines if line.strip())
    dimension = counts.most_common(1)[0][0] if counts else 0
    if not _SMALLEST <= dimension <= LARGEST_DIMENSION:
        raise InputError(
            f"{source.path}: this is not a file of word vectors; use a text file of GloVe, word2vec or fastText with a "
            "word and its numbers in each line, a binary file of word2vec, or a model file of fastText"
        )
    return dimension


def _split(line: bytes, dimension: int) -> tuple[bytes, bytes]:
    """Return the word and the numbers of a line. The word may be empty."""
    if line.count(b" ") == dimension and b"\t" not in line:        # the usual case, without spaces in the word
        word, _, numbers = line.partition(b" ")
        return word, numbers
    fields = line.rsplit(None, dimension)
    if len(fields) == dimension and line[:1].isspace():
        return b"", line
    word = fields[0].strip()
    if len(fields) <= dimension or (b" " in word and _is_number(word.split()[-1])):
        raise ValueError(_wrong_length(_numbers_at_end(line.split()), dimension))
    return word, b" ".join(fields[1:])


def _numbers_at_end(fields: list[bytes]) -> int:
    """Return the number of fields at the end of a line that are numbers. The first field is a word in any case."""
    count = 0
    while count < len(fields) - 1 and _is_number(fields[-1 - count]):
        count += 1
    return count


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _vector(text: bytes, dimension: int) -> bytes:
    """Return numbers as 32-bit floats."""
    numbers = text.split()
    if len(numbers) != dimension:
        raise ValueError(_wrong_length(len(numbers), dimension))
    try:
        vector = array("f", map(float, numbers))
    except ValueError:
        wrong = next(number for number in numbers if not _is_number(number))
        raise ValueError(f"{shown(wrong)} is not a number") from None
    if not math.isfinite(sum(vector)):
        wrong = next(number for number, value in zip(numbers, vector, strict=True) if not math.isfinite(value))
        raise ValueError(f"{shown(wrong)} is not a finite 32-bit number")
    return vector.tobytes()


def _wrong_length(found: int, dimension: int) -> str:
    return f"the line has {found} numbers, but vectors in this file have {dimension}"
