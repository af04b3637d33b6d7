"""Plain text, read in pieces so that a file of any size needs little memory."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gardenpath.errors import InputError
from gardenpath.files import opened
from gardenpath.formats.conllu import BOM, Source, source_name
from gardenpath.formats.encoding_guess import UTF8, guess
from gardenpath.formats.encodings import in_utf8, not_decodable, remedy

PIECE = 20_000           # minimum size of a piece in characters, except for the last
LONGEST = 1_000_000      # a longer paragraph is cut at the end of a line or at a space
BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_BLANK_LINES = re.compile(r"(?:[^\S\n]*\n)*(?=[^\S\n]*\S)")         # before a line with text
_READ = 1 << 18


@dataclass(frozen=True, slots=True)
class TextPiece:
    """Consecutive paragraphs or lines of a document."""

    text: str
    offset: int              # its first character in the document
    continues: bool          # whether it starts in the middle of a paragraph
    id: str = ""             # of the document, if it has one
    source: str = ""         # the name of the file, for messages

    @property
    def document(self) -> str:
        """The name of the document in messages: the file, and the id if it is another one."""
        return self.source if self.source.endswith(self.id) else f"{self.source}, document {self.id}"


def read_pieces(source: Source, *, by_line: bool = False, encoding: str = UTF8) -> Iterator[TextPiece]:
    """Read a text (`-` is standard input) in pieces that end with a paragraph or, if `by_line`, with a line."""
    return _pieces(_chunks(in_utf8(source, encoding)), by_line, False)


def pieces_of(text: str, *, by_line: bool = False, continues: bool = False, id: str = "") -> Iterator[TextPiece]:
    """Split a text into the same pieces. `continues` tells that it starts in the middle of a paragraph."""
    return _pieces((text[start : start + _READ] for start in range(0, len(text), _READ)), by_line, continues, id)


def _pieces(chunks: Iterable[str], by_line: bool, continues: bool, id: str = "") -> Iterator[TextPiece]:
    waiting, offset = "", 0
    for chunk in chunks:
        waiting += chunk
        while len(waiting) >= PIECE:
            end, inside = _cut(waiting, by_line)
            if not end:
                break
            yield TextPiece(waiting[:end], offset, continues, id)
            waiting, offset, continues = waiting[end:], offset + end, inside
    if waiting:
        yield TextPiece(waiting, offset, continues, id)


def _cut(text: str, by_line: bool) -> tuple[int, bool]:
    """Return the end of the first piece, or 0 if more text is needed, and whether it is inside a paragraph."""
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
    """Do the same for lines. Blank lines belong to the line before them, so a piece starts with a non-blank line."""
    first = text.find("\n", PIECE) + 1
    found = _BLANK_LINES.match(text, first) if first else None
    if found:
        return found.end(), text.count("\n", len(text[: found.end()].rstrip()), found.end()) < 2
    return (0, False) if len(text) < LONGEST else (len(text), True)


def _chunks(source: Source) -> Iterator[str]:
    """Decode the text in chunks, without a byte order mark at its start."""
    name, lines, offset, content = source_name(source), 1, 0, b""
    decoder = codecs.getincrementaldecoder(UTF8)()
    with opened(source) as file:
        mark = BOM
        while mark or content:
            content = file.read(_READ)
            if mark and b"\0" in content and (found := guess(content)) not in (None, UTF8):
                raise InputError(f"{name}: the text is not UTF-8 but probably {found}: {remedy(found)}")
            try:
                text = decoder.decode(content, final=not content)
            except UnicodeDecodeError as error:
                line = lines + error.object[: error.start].count(b"\n")
                start = offset + len(content) - len(error.object)
                raise InputError(
                    f"{name}:{line}: {not_decodable(error.object, error.start, offset=start)}"
                ) from None
            lines, offset = lines + text.count("\n"), offset + len(content)
            yield text.removeprefix(mark)
            mark = ""

