"""The words of a file of word vectors that are kept, and their vectors."""

from __future__ import annotations

from collections.abc import Callable, Set

import numpy as np
from numpy.typing import NDArray


class VectorRows:
    """Vectors in the order in which their words are found.

    A word is kept if it is among the first `limit` different ones (None: all words) or if `wanted` contains it or
    returns true for it. With `lowered`, words are lower-cased, also for `limit` and `wanted`. The vector of a word is
    the first one, except that with `lowered` the vector of a word that is lower-case in the file comes first.
    """

    def __init__(self, limit: int | None, wanted: Callable[[str], bool] | Set[str] | None, lowered: bool) -> None:
        self.skipped = 0                   # words that are empty or not UTF-8
        self._data = bytearray()           # the vectors, as 32-bit floats
        self._rows: dict[str, int] = {}    # the number of each word's row
        self._limit = limit
        self._wanted = wanted.__contains__ if isinstance(wanted, Set) else wanted
        self._lowered = lowered
        self._exact: set[str] = set()      # words found in lower case, if `lowered`

    @property
    def words(self) -> list[str]:
        """The words that are kept."""
        return list(self._rows)

    @property
    def is_complete(self) -> bool:
        """Whether the rest of the file does not matter."""
        return self._wanted is None and not self._lowered and self._limit is not None and self._is_beyond_limit()

    def place(self, word: bytes) -> int | None:
        """Return the number of the row for the vector of the next word, or None if it is not kept."""
        try:
            form = word.decode("utf-8")
        except UnicodeDecodeError:
            form = ""
        if not form:
            self.skipped += 1
            return None
        key = lower_case(form) if self._lowered else form
        row = self._rows.get(key)
        if row is None:
            if self._is_beyond_limit() and not (self._wanted and self._wanted(key)):
                return None
            row = self._rows[key] = len(self._rows)
        elif not self._lowered or key != form or key in self._exact:
            return None
        if self._lowered and key == form:
            self._exact.add(key)
        return row

    def put(self, row: int, numbers: bytes) -> None:
        """Store the vector of a word in the row that `place` returned."""
        self._data[row * len(numbers):(row + 1) * len(numbers)] = numbers

    def vectors(self, dimension: int) -> NDArray[np.float32]:
        """Return the vectors that are stored, one per row."""
        return np.frombuffer(self._data, np.float32).reshape(-1, dimension)

    def _is_beyond_limit(self) -> bool:
        # Every word is kept until the limit is reached, so the number of words is the rank of the next one.
        return self._limit is not None and len(self._rows) >= self._limit


def lower_case(word: str) -> str:
    """Return a word in lower case, character by character, as `core/characters.pxd` does.

    The result has the same number of characters. `str.lower` differs in the final sigma and the dotted capital i.
    """
    return word.lower() if word.isascii() else "".join(character.lower()[0] for character in word)
