"""Plain text: read piece by piece, so that a file of any size needs little memory."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gardenpath.errors import InputError
from gardenpath.files import opened
from gardenpath.formats.conllu import BOM, Source, source_name

PIECE = 20_000           # characters to hand on at once
LONGEST = 1_000_000      # a paragraph longer than this is cut at the end of a line, or at a space
BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_BLANK_LINES = re.compile(r"(?:[^\S\n]*\n)*(?=[^\S\n]*\S)")         # before one that is not
_READ = 1 << 18


@dataclass(frozen=True, slots=True)
class Piece:
    """Some whole paragraphs, or whole lines, of a document."""

    text: str
    offset: int              # where it begins in its document, in characters
    continues: bool          # does it begin in the middle of a paragraph?


def read_pieces(source: Source, *, by_line: bool = False) -> Iterator[Piece]:
    """Read a text (`-` is standard input) in pieces that end where paragraphs do; or, `by_line`, lines."""
    return _pieces(_chunks(source), by_line, False)


def pieces_of(text: str, *, by_line: bool = False, continues: bool = False) -> Iterator[Piece]:
    """A text in such pieces; `continues` says whether it begins in the middle of a paragraph."""
    return _pieces((text[start : start + _READ] for start in range(0, len(text), _READ)), by_line, continues)


def _pieces(chunks: Iterable[str], by_line: bool, continues: bool) -> Iterator[Piece]:
    waiting, offset = "", 0
    for chunk in chunks:
        waiting += chunk
        while len(waiting) >= PIECE:
            end, inside = _cut(waiting, by_line)
            if not end:
                break
            yield Piece(waiting[:end], offset, continues)
            waiting, offset, continues = waiting[end:], offset + end, inside
    if waiting:
        yield Piece(waiting, offset, continues)


def _cut(text: str, by_line: bool) -> tuple[int, bool]:
    """Where the first piece of the text ends, 0 if more must be read to tell, and whether that is inside a paragraph."""
    if by_line:
        return _cut_lines(text)
    found = BLANK_LINE.search(text, PIECE - 1)
    if found:
        return found.end(), False
    if len(text) < LONGEST:
        return 0, False
    line = text.rfind("\n", 1, LONGEST)
    space = text.rfind(" ", 1, LONGEST)
    return next(end for end in (line + 1, space + 1, LONGEST) if end > 0), True


def _cut_lines(text: str) -> tuple[int, bool]:
    """The same where lines count: blank lines stay with those before them, so that a piece begins with a line that has something on it."""
    first = text.find("\n", PIECE) + 1
    found = _BLANK_LINES.match(text, first) if first else None
    if found:
        return found.end(), text.count("\n", len(text[: found.end()].rstrip()), found.end()) < 2
    return (0, False) if len(text) < LONGEST else (len(text), True)


def _chunks(source: Source) -> Iterator[str]:
    """The text as it is read; a byte order mark at its beginning is not part of it."""
    name, lines, content = source_name(source), 1, b""
    decoder = codecs.getincrementaldecoder("utf-8")()
    with opened(source) as file:
        mark = BOM
        while mark or content:
            content = file.read(_READ)
            try:
                text = decoder.decode(content, final=not content)
            except UnicodeDecodeError as error:
                line = lines + error.object[: error.start].count(b"\n")
                raise InputError(f"{name}:{line}: byte 0x{error.object[error.start]:02x} is not UTF-8; convert the file to UTF-8 first") from None
            lines += text.count("\n")
            yield text.removeprefix(mark)
            mark = ""

