"""Read, decompress and decode the files of a corpus, a few megabytes at a time."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import IO, Any, NamedTuple

from gardenpath.corpus.cuts import Cut, cut_after
from gardenpath.corpus.inputs import Input, require_zstandard
from gardenpath.corpus.plan import Segment
from gardenpath.errors import InputError
from gardenpath.formats.encoding_guess import UTF8, guess
from gardenpath.formats.encodings import AUTO, recoded, unclear

_BLOCK = 1 << 14           # bytes decompressed at once
_AHEAD = 1 << 20


class Content(NamedTuple):
    """A decompressed stretch of a file, and where it begins."""

    data: bytes
    start: int
    continues: bool                  # whether it begins in the middle of a paragraph
    broken: str | None = None        # why the file cannot be read any further
    follows: bool = False            # whether the stretch before it is in the same part


def contents(segment: Segment, size: int) -> Iterator[Content]:
    """Yield the content of a segment; of a stream, in stretches of about `size` bytes that end at a good cut."""
    if not segment.input.is_stream:
        with open(segment.input.path, "rb") as file:
            file.seek(segment.start)
            yield Content(file.read(segment.end - segment.start), segment.start, segment.continues)
        return
    with Stream(segment.input) as stream:
        yield stream.take(size)
        while not stream.is_over():
            yield stream.take(size)._replace(follows=True)


class Stream:
    """A file that is compressed or not in UTF-8, read from beginning to end in stretches that end at a good cut."""

    def __init__(self, input: Input) -> None:
        self.input = input
        self.position = 0                # of the next stretch, in decompressed bytes
        self.continues = False
        self._file = open(input.path, "rb")  # noqa: SIM115 (closed with the stream)
        self._blocks = _blocks(self._file, input)
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
        """The number of bytes read from the compressed file."""
        return self._file.tell()

    def is_over(self) -> bool:
        """Return whether nothing is left to take, not even an error to report."""
        self._fill(1)
        return not self._ahead and self._broken is None

    def skip_to(self, cut: Cut) -> None:
        """Skip to a known cut without looking for cuts before it."""
        while self.position < cut.position and not self.is_over():
            self._fill(_AHEAD)
            passed = min(len(self._ahead), cut.position - self.position)
            del self._ahead[:passed]
            self.position += passed
        self.continues = cut.continues

    def take(self, size: int) -> Content:
        """Take the next `size` bytes and what follows them up to a good cut."""
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
        """Read ahead until `size` bytes are available or the file ends."""
        while len(self._ahead) < size and not self._ended:
            try:
                more = next(self._blocks, b"")
            except InputError as error:
                more, self._broken = b"", str(error)
            except ValueError as error:
                more, self._broken = b"", f"the file is damaged or truncated ({error}); compress it again"
            self._ahead += more
            self._ended = not more


def _blocks(file: IO[bytes], input: Input) -> Iterator[bytes]:
    """Yield the content, decompressed and in UTF-8."""
    if input.compression == "none":
        blocks = iter(lambda: file.read(_BLOCK), b"")
    else:
        blocks = _unpacked(file, input.compression)
    if input.encoding == UTF8:
        yield from blocks
        return
    first = next(blocks, b"")
    encoding = guess(first) if input.encoding == AUTO else input.encoding
    if encoding is None:
        raise InputError(f"{input.name}: {unclear(first)}")
    yield from recoded(chain([first], blocks), encoding, input.name)


def _unpacked(file: IO[bytes], compression: str) -> Iterator[bytes]:
    """Yield the decompressed content, frame after frame. Raise `ValueError` if the file is damaged or truncated."""
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
            waiting, unpacker, begun = unpacker.unused_data.lstrip(b"\0"), make(), False  # some tools pad with zeros
    if begun:
        raise ValueError("unexpected end of file")


def _unpacker(compression: str) -> tuple[Callable[[], Any], type[Exception]]:
    """Return a function that makes a decompressor, and the exception type that the decompressor raises."""
    if compression == "gz":
        return partial(zlib.decompressobj, wbits=16 + zlib.MAX_WBITS), zlib.error
    require_zstandard()
    import zstandard

    return zstandard.ZstdDecompressor().decompressobj, zstandard.ZstdError
