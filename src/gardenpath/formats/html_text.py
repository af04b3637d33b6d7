"""The text of HTML pages. Block elements are paragraphs; scripts and styles are left out."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from gardenpath.errors import UsageError
from gardenpath.formats.encoding_guess import UTF8
from gardenpath.formats.encodings import AUTO, checked_encoding

_BLOCK_NAMES = """
address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure footer form
h1 h2 h3 h4 h5 h6 head header hr html legend li main menu nav ol option p pre section summary table tbody td tfoot th
thead tr ul
"""
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_HIDDEN = frozenset(("noscript", "script", "style", "template", "title"))
_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE)
_DECLARED = 4096         # the number of bytes in which a page declares its encoding
_SPACES = re.compile(r"\s+")


class _TextOfPage(HTMLParser):
    """Collects the paragraphs of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.paragraphs: list[str] = []
        self._parts: list[str] = []
        self._hidden = 0             # number of open elements that are not shown
        self._verbatim = 0           # number of open elements in which line ends count

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin an element."""
        if tag == "body":
            self._hidden = 0
        self._hidden += tag in _HIDDEN
        if tag in _BLOCKS:
            self.end_paragraph()
        elif tag == "br":
            self._parts.append("\n")
        self._verbatim += tag == "pre"

    def handle_endtag(self, tag: str) -> None:
        """End an element."""
        self._hidden = max(0, self._hidden - (tag in _HIDDEN))
        if tag in _BLOCKS:
            self.end_paragraph()
        self._verbatim = max(0, self._verbatim - (tag == "pre"))

    def handle_data(self, data: str) -> None:
        """Add text."""
        if not self._hidden:
            self._parts.append(data if self._verbatim else _SPACES.sub(" ", data))

    def end_paragraph(self) -> None:
        """End the paragraph, if it has text."""
        lines = "".join(self._parts).split("\n")
        text = "\n".join(" ".join(line.split()) for line in lines).strip()
        if text:
            self.paragraphs.append(text)
        self._parts = []


def text_of_html(page: str) -> str:
    """Return the text of a page: its block elements as paragraphs with blank lines between them."""
    parser = _TextOfPage()
    parser.feed(page)
    parser.close()
    parser.end_paragraph()
    return "\n\n".join(parser.paragraphs)


def html_encoding(beginning: bytes, encoding: str) -> str:
    """Return the encoding of a page: the one that it declares, unless another than UTF-8 or `auto` is given."""
    declared = _CHARSET.search(beginning[:_DECLARED])
    if encoding not in (AUTO, UTF8) or not declared:
        return encoding
    try:
        found = checked_encoding(declared[1].decode("ascii"))
    except UsageError:
        return encoding
    return "cp1252" if found in ("ascii", "iso8859-1") else found         # as in the HTML standard
