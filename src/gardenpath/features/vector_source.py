"""The bytes of a file of word vectors, and errors about them.

Memory is bounded: a file is read in pieces, whatever its header announces.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn, Protocol

from gardenpath.errors import InputError

GZIP = b"\x1f\x8b"
PIECE = 1 << 20
LONGEST_WORD = 1 << 16      # in bytes
LONGEST_LINE = 1 << 21      # in bytes; enough for LARGEST_DIMENSION numbers
LARGEST_DIMENSION = 1 << 16
_REMEDY = "the file is damaged, incomplete or not a file of word vectors; download it again"


class Readable(Protocol):
    """A file to read bytes from."""

    def read(self, size: int, /) -> bytes:
        """Read at most this number of bytes; none at the end of the file."""


class VectorSource:
    """The bytes of a file, decompressed if necessary. They are read once, from the start to the end.

    `size` is the number of bytes, or None if it is not known.
    """

    def __init__(self, path: str | Path, file: Readable, size: int | None) -> None:
        self.path = path
        self.size = size
        self._file = file
        self._buffer = b""
        self._place = 0       # of the next byte in the buffer
        self._start = 0       # of the buffer in the file

    @property
    def offset(self) -> int:
        """The number of bytes that are read."""
        return self._start + self._place

    def peek(self, length: int) -> bytes:
        """Return the next bytes without reading them; fewer at the end of the file."""
        while len(self._buffer) - self._place < length and self._fill():
            pass
        return self._buffer[self._place:self._place + length]

    def read(self, length: int) -> bytes:
        """Read this number of bytes. A file that ends before raises an error."""
        found = self.peek(length)
        if len(found) < length:
            self._place += len(found)
            self.fail_as_truncated()
        self._place += length
        return found

    def until(self, end: bytes, longest: int, what: str) -> bytes | None:
        """Read until a byte, and return what is before it, or None if the file ends before.

        More than `longest` bytes are an error about a word or line that is too long.
        """
        while (found := self._buffer.find(end, self._place)) < 0:
            if len(self._buffer) - self._place > longest:
                self.fail_at_byte(self.offset, f"a {what} that begins here is longer than {longest} bytes")
            if not self._fill():
                return None
        text = self._buffer[self._place:found]
        self._place = found + 1
        return text

    def lines(self) -> Iterator[bytes]:
        """Read the lines to the end of the file. The last line may lack the line end."""
        while (line := self.until(b"\n", LONGEST_LINE, "line")) is not None:
            yield line
        if rest := self.peek(LONGEST_LINE):
            self._place += len(rest)
            yield rest

    def require(self, length: int, what: str) -> None:
        """Raise an error if the file is known to have fewer bytes left."""
        if self.size is not None and self.size - self.offset < length:
            raise InputError(
                f"{self.path}: the header announces {what}, but the file has only {self.size} bytes; {_REMEDY}"
            )

    def fail_as_truncated(self) -> NoReturn:
        """Raise an error about a file that ends too early."""
        raise InputError(f"{self.path}: the file ends too early, after byte {self.offset}; download it again")

    def fail_at_line(self, number: int, problem: str) -> NoReturn:
        """Raise an error about the content of a line."""
        raise InputError(f"{self.path}:{number}: {problem}; {_REMEDY}")

    def fail_at_byte(self, offset: int, problem: str) -> NoReturn:
        """Raise an error about the content at an offset in the decompressed file."""
        raise InputError(f"{self.path}: byte {offset}: {problem}; {_REMEDY}")

    def _fill(self) -> bool:
        """Read the next piece into the buffer, and return whether there is one."""
        piece = self._read()
        self._start += self._place
        self._buffer = self._buffer[self._place:] + piece
        self._place = 0
        return bool(piece)

    def _read(self) -> bytes:
        import gzip
        import zlib

        try:
            return self._file.read(PIECE)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            problem = f"the file cannot be decompressed ({error}); it is incomplete or damaged"
            raise InputError(f"{self.path}: {problem}; download it or compress it again") from None


@contextmanager
def opened_source(path: str | Path) -> Iterator[VectorSource]:
    """Open a file, plain or compressed with gzip. It may be a pipe."""
    import gzip

    with open(path, "rb") as file:
        if file.peek(len(GZIP)).startswith(GZIP):
            with gzip.open(file) as plain:
                yield VectorSource(path, plain, None)
        else:
            status = os.fstat(file.fileno())
            yield VectorSource(path, file, status.st_size if stat.S_ISREG(status.st_mode) else None)


def shown(text: bytes) -> str:
    """Return the beginning of a word or number for a message."""
    return repr(text[:40].decode("utf-8", errors="replace"))
