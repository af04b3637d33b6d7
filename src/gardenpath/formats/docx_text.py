"""The text of Word documents (.docx): the paragraphs of the main part, without deleted text.

Headers, footers, footnotes and comments are other parts of the file and are not read.
"""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from typing import IO, Any
from xml.parsers import expat

from gardenpath.errors import InputError

LARGEST = 200_000_000        # of an XML part in bytes, decompressed
_OLD = bytes.fromhex("d0cf11e0a1b11ae1")         # the first bytes of .doc files and of encrypted .docx files
_RELATIONS = "_rels/.rels"
_BLOCK = 1 << 16
# Elements by their names without namespaces; Word has two namespaces, for the transitional and the strict format.
_SPACING = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_LEFT_OUT = frozenset(("Fallback", "moveFrom", "del"))


class _TextOfPart:
    """Collects the paragraphs of the main part."""

    def __init__(self) -> None:
        self.paragraphs: list[str] = []
        self._parts: list[list[str]] = []        # of the open paragraphs: a text box is a paragraph inside another
        self._left_out = 0
        self._is_text = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Begin an element."""
        local = _local(name)
        self._left_out += local in _LEFT_OUT
        self._is_text = local == "t" and not self._left_out
        if local == "p":
            self._parts.append([])
        elif local in _SPACING and self._parts and not self._left_out:
            self._parts[-1].append(_SPACING[local])

    def end(self, name: str) -> None:
        """End an element."""
        local = _local(name)
        self._left_out -= local in _LEFT_OUT
        self._is_text = False
        if local == "p" and self._parts:
            text = "".join(self._parts.pop()).strip()
            if text:
                self.paragraphs.append(text)

    def text(self, data: str) -> None:
        """Add text."""
        if self._is_text and self._parts:
            self._parts[-1].append(data)


def text_of_docx(file: IO[bytes], name: str) -> str:
    """Return the text of a document, with a blank line after each paragraph. `name` is used in messages."""
    if file.read(len(_OLD)) == _OLD:
        raise InputError(f"{name}: the document is encrypted, or in the old format .doc; save it as .docx, unencrypted")
    file.seek(0)
    found = _TextOfPart()
    try:
        with zipfile.ZipFile(file) as archive:
            _read(archive, _main_part(archive), found.start, found.end, found.text)
    except (
        zipfile.BadZipFile, zlib.error, EOFError, KeyError, NotImplementedError, RuntimeError, OSError, ValueError,
        expat.ExpatError,
    ) as error:
        raise InputError(f"{name}: not a readable Word document ({error}); save it again as .docx") from None
    return "\n\n".join(found.paragraphs)


def _main_part(archive: zipfile.ZipFile) -> str:
    targets: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        if attributes.get("Type", "").endswith("/officeDocument"):
            targets.append(attributes.get("Target", ""))

    _read(archive, _RELATIONS, start)
    if not targets:
        raise ValueError("no main part")
    return posixpath.normpath(targets[0].lstrip("/"))


def _read(archive: zipfile.ZipFile, part: str, start: Any, end: Any = None, text: Any = None) -> None:
    """Parse a part, block by block. A document type is an error, because only hostile files have one."""
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text
    parser.StartDoctypeDeclHandler = _refuse_doctype
    size = 0
    with archive.open(part) as content:
        while block := content.read(_BLOCK):
            size += len(block)
            if size > LARGEST:
                raise ValueError(f"{part} has more than {LARGEST:,} bytes")
            parser.Parse(block, False)
    parser.Parse(b"", True)


def _refuse_doctype(*_: object) -> None:
    raise ValueError("its XML declares a document type")


def _local(name: str) -> str:
    return name.rpartition(" ")[2]
