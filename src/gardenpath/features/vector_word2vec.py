"""word2vec's binary files: a header, and for each word its bytes, a space and its numbers (32-bit, little-endian)."""

from __future__ import annotations

import codecs
import re

import numpy as np
from numpy.typing import NDArray

from gardenpath.features.vector_rows import VectorRows
from gardenpath.features.vector_source import LONGEST_WORD, PIECE, VectorSource, shown
from gardenpath.features.vector_text import VectorHeader

_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_SMALLEST_SAMPLE = 400      # number of bytes after the first word from which the format is recognised


def is_binary(source: VectorSource, header: VectorHeader) -> bool:
    """Return whether the vectors after a header are in word2vec's binary format and not text."""
    length = max(4 * header.dimension, _SMALLEST_SAMPLE)
    sample = source.peek(LONGEST_WORD + length).lstrip(b"\n").partition(b" ")[2][:length]
    if _CONTROL.search(sample):
        return True
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample.split(b"\n")[0])
    except UnicodeDecodeError:
        return True
    return False


def read_word2vec(source: VectorSource, header: VectorHeader, rows: VectorRows) -> NDArray[np.float32]:
    """Read the words after the header, and return the vectors of those that are kept."""
    width = 4 * header.dimension
    source.require(header.words * (width + 1), str(header))
    for _ in range(header.words):
        if rows.is_complete:
            return rows.vectors(header.dimension)
        word = source.until(b" ", LONGEST_WORD, "word")
        if word is None:
            source.fail_as_truncated()
        start = source.offset
        numbers = source.read(width)
        word = word.lstrip(b"\n")         # some programs write a line end after each vector, some do not
        if (row := rows.place(word)) is not None:
            if not np.isfinite(np.frombuffer(numbers, "<f4")).all():
                source.fail_at_byte(start, f"the vector of {shown(word)} contains a number that is not finite")
            rows.put(row, numbers)
    if source.peek(PIECE).strip():
        source.fail_at_byte(source.offset, f"the header announces {header}, but the file continues")
    return rows.vectors(header.dimension)
