"""What is in the files of a corpus, some megabytes at a time, decompressed on the way."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import IO, Any, NamedTuple

from gardenpath.corpus.cuts import Cut, cut_after
from gardenpath.corpus.inputs import Input, require_zstandard
from gardenpath.corpus.plan import Segment

_BLOCK = 1 << 14           # bytes of a file that are decompressed at once
_AHEAD = 1 << 20


class Content(NamedTuple):
    """A stretch of a file, decompressed: where it begins, and whether that is in the middle of a paragraph."""

    data: bytes
    start: int
    continues: bool
    broken: str | None = None        # why the file cannot be read any further
    follows: bool = False            # does the same part have what comes before it?


def contents(segment: Segment, size: int) -> Iterator[Content]:
    """What is in a segment; of a compressed file so many bytes at a time, and what follows up to a good place to cut at."""
    if segment.input.compression == "none":
        with open(segment.input.path, "rb") as file:
            file.seek(segment.start)
            yield Content(file.read(segment.end - segment.start), segment.start, segment.continues)
        return
    with Stream(segment.input) as stream:
        yield stream.take(size)
        while not stream.is_over():
            yield stream.take(size)._replace(follows=True)


class Stream:
    """A compressed file that is read from its beginning to its end, cut where it can be."""

    def __init__(self, input: Input) -> None:
        self.input = input
        self.position = 0                # of what was taken, in decompressed bytes
        self.continues = False
        self._file = open(input.path, "rb")  # noqa: SIM115 (closed with the stream)
        self._blocks = _unpacked(self._file, input.compression)
        self._ahead = bytearray()
        self._broken: str | None = None
        self._ended = False

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    @property
    def read_from_file(self) -> int:
        """How many bytes of the file itself have been read."""
        return self._file.tell()

    def is_over(self) -> bool:
        """Is nothing left, not even a complaint?"""
        self._fill(1)
        return not self._ahead and self._broken is None

    def skip_to(self, cut: Cut) -> None:
        """Go on to a place where it was cut before, without looking at what comes before it."""
        while self.position < cut.position and not self.is_over():
            self._fill(_AHEAD)
            passed = min(len(self._ahead), cut.position - self.position)
            del self._ahead[:passed]
            self.position += passed
        self.continues = cut.continues

    def take(self, size: int) -> Content:
        """The next so many bytes, and what follows up to a good place to cut at."""
        found = cut_after(self._look, size, self.input.kind)
        end = found.position if found else len(self._ahead)
        content = Content(bytes(self._ahead[:end]), self.position, self.continues, None if found else self._broken)
        del self._ahead[:end]
        self.position += end
        self.continues = found.continues if found else False
        if not found:
            self._broken = None
        return content

    def _look(self, place: int, size: int) -> bytes:
        self._fill(place + size)
        return bytes(self._ahead[place : place + size])

    def _fill(self, size: int) -> None:
        """See to it that so many bytes are read ahead, if there are."""
        while len(self._ahead) < size and not self._ended:
            try:
                more = next(self._blocks, b"")
            except ValueError as error:
                more, self._broken = b"", f"the file is broken or cut short ({error}); compress it again"
            self._ahead += more
            self._ended = not more


def _unpacked(file: IO[bytes], compression: str) -> Iterator[bytes]:
    """What is in a compressed file, frame after frame; `ValueError` if it is broken or cut short."""
    make, broken = _unpacker(compression)
    unpacker, waiting, begun = make(), b"", False
    while block := waiting or file.read(_BLOCK):
        try:
            content = unpacker.decompress(block)
        except broken as error:
            raise ValueError(str(error)) from None
        if content:
            yield content
        waiting, begun = b"", True
        if unpacker.eof:
            waiting, unpacker, begun = unpacker.unused_data.lstrip(b"\0"), make(), False       # some fill up with zeros
    if begun:
        raise ValueError("it ends too early")


def _unpacker(compression: str) -> tuple[Callable[[], Any], type[Exception]]:
    """What makes a decompressor, and what that raises."""
    if compression == "gz":
        return partial(zlib.decompressobj, wbits=16 + zlib.MAX_WBITS), zlib.error
    require_zstandard()
    import zstandard

    return zstandard.ZstdDecompressor().decompressobj, zstandard.ZstdError
