"""Text encodings: UTF-8 by default, others by name or by detection."""

from __future__ import annotations

import codecs
import io
import warnings
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from gardenpath.errors import GardenpathWarning, InputError, UsageError
from gardenpath.files import opened
from gardenpath.formats.conllu import BOM, Source, source_name
from gardenpath.formats.encoding_guess import UTF8, guess

AUTO = "auto"
_READ = 1 << 18


def checked_encoding(name: str) -> str:
    """Return the standard name of an encoding, or `auto`; raise `UsageError` if there is no such encoding of text."""
    if name == AUTO:
        return name
    try:
        "a".encode(name)         # also fails for codecs that are not for text
        return codecs.lookup(name).name
    except (LookupError, ValueError):
        raise UsageError(
            f"unknown encoding {name!r}; choose auto, utf-8, utf-16, cp1252 (Western European), cp1250 (Central "
            "European), cp1251 (Cyrillic), cp1253 (Greek), cp1254 (Turkish), cp1257 (Baltic) or another name that "
            "Python knows"
        ) from None


def in_utf8(source: Source, encoding: str) -> Source:
    """Return a source with the same text in UTF-8.

    With `auto` the encoding is detected: from the whole file, or from the beginning of a stream. If it is an 8-bit
    encoding, a warning names it, because it is only likely.
    """
    if encoding == AUTO:
        encoding = detected(source)
    return source if encoding == UTF8 else io.BufferedReader(Recoder(source, encoding), _READ)


def detected(source: Source) -> str:
    """Return the likely encoding of a source; raise `InputError` if it is unclear."""
    name, sample = source_name(source), _sample(source)
    found = guess(sample, is_whole=_is_file(source) and len(sample) < _READ)
    if found is None:
        raise InputError(f"{name}: {unclear(sample)}")
    if not found.startswith("utf"):
        warnings.warn(
            f"{name}: the text is not UTF-8 and is read as {found}; if letters are wrong, name the encoding with "
            "--encoding", GardenpathWarning, stacklevel=2,
        )
    return found


def unclear(content: bytes) -> str:
    """Return the message about content whose encoding cannot be guessed."""
    if b"\0" in content:
        return "this is not text, because it has zero bytes; convert it to text first"
    return "the encoding is unclear; name it with --encoding, or convert the file to UTF-8 first"


def not_decodable(content: bytes, place: int, *, offset: int = 0, encoding: str = UTF8) -> str:
    """Return the message about the byte at a place of the content that is not valid in the encoding.

    `offset` is the position of the content in the file.
    """
    fault = f"byte 0x{content[place]:02x} is not {encoding.upper()} (offset {offset + place:,})"
    rest = content if b"\0" in content or content[:place].isascii() else content[place:]
    found = guess(rest, is_whole=True)
    if found is None or found == encoding:
        return f"{fault}; {unclear(rest)}"
    return f"{fault}; the text is probably {found}: {remedy(found)}"


def remedy(encoding: str) -> str:
    """Return the end of the message about text whose encoding is probably another one than UTF-8."""
    return f"use --encoding {encoding}, or --encoding auto if files differ"


def _is_file(source: Source) -> bool:
    return isinstance(source, (str, Path)) and source != "-"


def _sample(source: Source) -> bytes:
    """Return the part of a source that tells its encoding: the beginning, or where a file is not UTF-8 any more."""
    if not _is_file(source):
        with opened(source) as file:
            if isinstance(file, io.BytesIO):
                return file.getvalue()[file.tell() :]
            return io.BufferedReader.peek(file, _READ)        # type: ignore[arg-type]  # the declared type has no peek
    decoder = codecs.getincrementaldecoder(UTF8)()
    with opened(source) as file:
        first = file.read(_READ)
        for block in chain([first], iter(lambda: file.read(_READ), b"")):
            if b"\0" in block:
                break
            try:
                decoder.decode(block)
            except UnicodeDecodeError as error:
                return error.object[error.start :] if block is not first else first
    return first


class Recoder(io.RawIOBase):
    """A binary stream with the text of another one in UTF-8."""

    def __init__(self, source: Source, encoding: str) -> None:
        self.name = source_name(source)
        self._opened = opened(source)
        self._file = self._opened.__enter__()
        self._blocks = recoded(iter(lambda: self._file.read(_READ), b""), encoding, self.name)
        self._ahead = b""

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read the next bytes into a buffer and return their number, 0 at the end."""
        while not self._ahead and (block := next(self._blocks, None)) is not None:
            self._ahead = block
        size = min(len(buffer), len(self._ahead))
        buffer[:size], self._ahead = self._ahead[:size], self._ahead[size:]
        return size

    def close(self) -> None:
        """Close the stream, and the file if this stream opened it."""
        if not self.closed:
            self._opened.__exit__(None, None, None)
        super().close()


def recoded(blocks: Iterable[bytes], encoding: str, name: str) -> Iterator[bytes]:
    """Yield a text in UTF-8, without a byte order mark; raise `InputError` where it is not in the given encoding."""
    decoder = codecs.getincrementaldecoder(encoding)()
    mark, offset = BOM, 0
    for block in chain(blocks, [b""]):
        waiting = decoder.getstate()[0]
        try:
            text = decoder.decode(block, final=not block)
            content = text.encode()
        except UnicodeError as error:
            place = getattr(error, "start", 0)
            reason = not_decodable(waiting + block, place, offset=offset - len(waiting), encoding=encoding)
            raise InputError(f"{name}: {reason}") from None
        offset += len(block)
        if text:
            yield content.removeprefix(mark.encode())
            mark = ""
