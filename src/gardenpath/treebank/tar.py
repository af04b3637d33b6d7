"""Read a .tar.gz from its beginning to its end, in little memory, whatever it contains.

The reader supports what archives of treebanks consist of: files, folders, links, and the headers of pax and GNU for
long names. Sparse files and everything else raise `InputError`. Python's `tarfile` supports much more, and trusts the
numbers in the headers.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from gardenpath.errors import InputError

BLOCK = 512
CHUNK = 1 << 16
LARGEST_HEADER = 1 << 20           # bytes of a pax header or a long name
LONGEST_END = 1 << 20              # bytes after the last file
FILE, FOLDER, LINK, OTHER = "file", "folder", "link", "other"
_KINDS = {b"0": FILE, b"\0": FILE, b"1": LINK, b"2": LINK, b"5": FOLDER}
_SPARSE = "GNU.sparse"
_USED = ("path", "size", "comment", _SPARSE)        # the records of pax headers that are used
_PAX, _PAX_GLOBAL, _LONG_NAME, _LONG_LINK = b"x", b"g", b"L", b"K"


class DamagedError(Exception):
    """The archive is damaged or truncated."""


@dataclass(frozen=True, slots=True)
class Member:
    """A file, folder or link of an archive. `content` must be read before the next member."""

    name: str
    kind: str
    size: int
    content: Iterator[bytes]


class TarReader:
    """An iterator over the members of an archive. `comment` is the comment of the archive: the commit."""

    def __init__(self, file: IO[bytes], most_bytes: int) -> None:
        self.comment: str | None = None
        self._file, self._most = file, most_bytes
        self._gzip = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        self._total = 0

    def __iter__(self) -> Iterator[Member]:
        extended: dict[str, str] = {}
        while any(header := self._read(BLOCK)):
            _check_sum(header)
            kind, size = header[156:157], int(extended.get("size") or _number(header[124:136]))
            if kind in (_PAX, _PAX_GLOBAL, _LONG_NAME, _LONG_LINK):
                extended |= self._extension(kind, size)
                continue
            if _SPARSE in extended:
                raise InputError("it contains a sparse file")
            content = self._content(size)
            yield Member(extended.get("path") or _name(header), _KINDS.get(kind, OTHER), size, content)
            for _ in content:
                pass
            extended = {}
        self._finish()

    def _extension(self, kind: bytes, size: int) -> dict[str, str]:
        """Read a header that describes the next member, or with `_PAX_GLOBAL` the archive."""
        if size > LARGEST_HEADER:
            raise InputError(f"a header requires {size:,} bytes")
        content = b"".join(self._content(size))
        if kind == _LONG_LINK:
            return {}
        if kind == _LONG_NAME:
            return {"path": _text(content.rstrip(b"\0"))}
        # Other records are not kept, because any number of headers can come before a file.
        named = {_SPARSE if key.startswith(_SPARSE) else key: value for key, value in _pax_records(content)}
        records = {key: value for key, value in named.items() if key in _USED}
        if kind == _PAX:
            return records
        self.comment = records.get("comment", self.comment)
        return {}

    def _content(self, size: int) -> Iterator[bytes]:
        """Yield the content of a member, and skip the rest of its last block."""
        left = size
        while left:
            piece = self._read(min(left, CHUNK))
            left -= len(piece)
            yield piece
        self._read(-size % BLOCK)

    def _finish(self) -> None:
        """Read to the end, which verifies the checksum of gzip."""
        begin = self._total
        while self._some(CHUNK):
            if self._total - begin > LONGEST_END:
                raise InputError("it has data after its last file")
        if not self._gzip.eof:
            raise DamagedError("it ends too early")
        if self._gzip.unused_data or self._file.read(1):
            raise InputError("it has data after its end")

    def _read(self, size: int) -> bytes:
        """Return exactly this number of bytes."""
        parts = []
        while size:
            part = self._some(size)
            if not part:
                raise DamagedError("it ends too early")
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _some(self, most: int) -> bytes:
        """Return up to `most` bytes; nothing at the end."""
        found = b""
        while not found and not self._gzip.eof:
            packed = self._gzip.unconsumed_tail or self._file.read(CHUNK)
            try:
                found = self._gzip.decompress(packed, most)
            except zlib.error as error:
                raise DamagedError(str(error)) from None
            if not packed and not found:
                return b""
        self._total += len(found)
        if self._total > self._most:
            raise InputError(f"it has more than {self._most:,} bytes")
        return found


def _check_sum(header: bytes) -> None:
    """Compare the checksum of a header, which counts its own place as spaces."""
    if sum(header[:148]) + 8 * ord(" ") + sum(header[156:]) != _number(header[148:156]):
        raise DamagedError("the checksum of a header is wrong")


def _number(field: bytes) -> int:
    """Read an octal number. Numbers in base 256 and negative ones do not occur in archives of treebanks."""
    digits = field.strip(b" \0")
    if not digits.isdigit() or b"8" in digits or b"9" in digits:
        if digits:
            raise DamagedError("a number in a header is not valid")
        return 0
    return int(digits, 8)


def _name(header: bytes) -> str:
    """Return the name of a member, with the prefix of the format ustar."""
    name = header[:100].partition(b"\0")[0]
    prefix = header[345:500].partition(b"\0")[0] if header[257:263] == b"ustar\0" else b""
    return _text(prefix + b"/" + name if prefix else name)


def _text(name: bytes) -> str:
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"the name {name[:40]!r} is not UTF-8") from None


def _pax_records(content: bytes) -> Iterator[tuple[str, str]]:
    """Yield the records of a pax header: `length key=value` and a newline."""
    at = 0
    while at < len(content):
        length, space, _ = content[at : at + 10].partition(b" ")
        end = at + int(length) if length.isdigit() and space else -1
        record = content[at + len(length) + 1 : end]
        key, equals, value = record.removesuffix(b"\n").partition(b"=")
        if not at < end <= len(content) or not record.endswith(b"\n") or not equals:
            raise DamagedError("a pax header is not valid")
        key_text = _text(key)
        if key_text == "size" and not (value.isdigit() and len(value) < 19):
            raise DamagedError("the size in a pax header is not valid")
        yield key_text, _text(value)
        at = end
