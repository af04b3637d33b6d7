"""The kinds of inputs: by the ending of a file, or by its first bytes."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

from gardenpath.errors import InputError, UsageError
from gardenpath.formats import registry
from gardenpath.formats.conllu import BOM, source_name
from gardenpath.formats.encoding_guess import UTF8, guess
from gardenpath.formats.encodings import AUTO, unclear
from gardenpath.formats.texts import CSV, DOCX, HTML, kind_by_ending
from gardenpath.pipeline.pipeline import INPUTS

CONLLU, TEXT = "conllu", "text"
TEXT_KINDS = (*INPUTS, HTML, DOCX, CSV)
_PEEK = 1 << 16
# Documents that are not text, by their first bytes.
_OTHERS = {
    b"%PDF-": "a PDF document", b"{\\rtf": "an RTF document", b"\xd0\xcf\x11\xe0": "an Office document of the old kind",
    b"PK\x03\x04": "a zip archive or a document that is one, such as .odt or .epub",
}
_COMMENT = re.compile(rb"# *(newdoc|newpar|(sent_id|text) *=)")


def check_not_text(source: str, command: str) -> None:
    """Raise `UsageError` if a text was given in place of a file."""
    if " " in source and not Path(source).exists():
        remedy = f'pass text on standard input: echo "I saw her." | gardenpath {command}'
        raise UsageError(f"the file {source!r} does not exist; {remedy}")


def kinds_of(sources: list[str], encoding: str = UTF8) -> list[str]:
    """Return the kinds of the sources: all are texts, or all have the same format with columns."""
    kinds = [kind_of(source, encoding) for source in sources]
    if len(set(kinds)) > 1 and not set(kinds) <= set(TEXT_KINDS):
        found = ", ".join(f"{source_name(source)} is {kind}" for source, kind in zip(sources, kinds, strict=True))
        raise UsageError(f"the inputs have different formats ({found}); parse them separately, or set --input")
    return kinds


def kind_of(source: str, encoding: str = UTF8) -> str:
    """Return the kind of a source: by its ending, or `conllu` or `text` by its first bytes."""
    known = kind_by_name(source) if source != "-" else None
    if known is not None and known != TEXT:
        return known
    return CONLLU if looks_like_conllu(_beginning(source, encoding)) else TEXT


def kind_by_name(path: str) -> str | None:
    """Return the kind that the ending of a file tells: a kind of text, or a format that can be read; or None."""
    found = registry.by_ending(path)
    return kind_by_ending(path) or (found.name if found and found.read else None)


def _beginning(source: str, encoding: str) -> bytes:
    """Return the first bytes of a source, in UTF-8."""
    if source == "-":
        # sys.stdin.buffer is a BufferedReader, but its declared type has no peek.
        content = io.BufferedReader.peek(sys.stdin.buffer, _PEEK)      # type: ignore[arg-type]
    else:
        with open(source, "rb") as file:
            content = file.read(_PEEK)
    for beginning, kind in _OTHERS.items():
        if content.startswith(beginning):
            raise InputError(
                f"{source_name(source)}: this is {kind}; save it as plain text, HTML or .docx first, or read it anyway "
                f"with --input {TEXT}"
            )
    likely = guess(content)
    if likely is None and b"\0" in content:
        raise InputError(f"{source_name(source)}: {unclear(content)}, or read it anyway with --input {TEXT}")
    known = likely if encoding == AUTO else encoding
    return content if known is None or known == UTF8 else content.decode(known, "ignore").encode()


def looks_like_conllu(beginning: bytes) -> bool:
    """Return whether the first line that is not a comment has ten columns.

    If all lines are comments, return whether the first one is a typical comment of CoNLL-U.
    """
    content = beginning.removeprefix(BOM.encode()).lstrip(b"\r\n")
    first = next((line for line in content.splitlines() if not line.startswith(b"#")), None)
    if first is None:
        return _COMMENT.match(content) is not None
    return first[:1].isdigit() and first.count(b"\t") == 9
