"""Read the parameters of a request: from the query string, and from a URL-encoded or `multipart/form-data` body.

The time is linear in the size of the body for any content. All errors are `InputError`.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from urllib.parse import parse_qsl

from gardenpath.errors import InputError

URL_ENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
HEADERS = 1 << 13        # maximum size of the headers of a part, in bytes
_PARAMETER = re.compile(r';\s*([^\s=;]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*)', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_HEADER = re.compile(
    r"\n(content-disposition|content-transfer-encoding)[ \t]*:([^\n]*(?:\n[ \t][^\n]*)*)", re.IGNORECASE
)
_FILE = ("filename", "filename*")
_BLANK_LINE = re.compile(rb"\n\r?\n")


def read_query(query: bytes) -> dict[str, str]:
    """Read the parameters of a query string. If a name has several values, the last one is used, even if empty."""
    try:
        return _url_encoded(query)
    except ValueError as error:
        raise InputError(f"Cannot parse request URL. Its query is {_fault(error)}.") from None


def read_body(content_type: str, body: bytes) -> dict[str, str]:
    """Read the parameters of a body. An empty body without a Content-Type has none."""
    if not body and not content_type:
        return {}
    kind = content_type.partition(";")[0].strip().lower()
    if kind not in (URL_ENCODED, MULTIPART):
        raise InputError(f"Unsupported payload Content-Type '{content_type}'.")
    try:
        return _url_encoded(body) if kind == URL_ENCODED else dict(_parts(_boundary(content_type), body))
    except ValueError as error:
        raise InputError(f"Cannot parse the {kind} payload. It is {_fault(error)}.") from None


def _fault(error: ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8 (byte 0x{error.object[error.start]:02x}); convert it to UTF-8 first"
    return str(error)


def _url_encoded(content: bytes) -> dict[str, str]:
    return dict(parse_qsl(content.decode("utf-8"), keep_blank_values=True, errors="strict"))


def _boundary(content_type: str) -> bytes:
    boundary = header_parameters(content_type).get("boundary")
    if not boundary:
        raise ValueError("without a boundary; add a boundary to Content-Type")
    return boundary.encode("latin-1")       # HTTP headers are decoded as Latin-1


def _parts(boundary: bytes, body: bytes) -> Iterator[tuple[str, str]]:
    """Yield names and values of a multipart body. Text before the first and after the last boundary is ignored."""
    _, *parts = (b"\n" + body).split(b"\n--" + boundary)
    closed = [part.startswith(b"--") for part in parts]
    if True not in closed:
        raise ValueError("incomplete; the closing boundary is missing")
    for part in parts[: closed.index(True)]:
        yield from _part(part.removesuffix(b"\r"))


def _part(part: bytes) -> Iterator[tuple[str, str]]:
    """Yield name and value of a part if it has a name. The part starts with the rest of its boundary line."""
    blank = _BLANK_LINE.search(part)
    if not blank or blank.start() > HEADERS:
        raise ValueError(
            "without headers in one of its parts; put a blank line between the headers and the content of a part"
        )
    headers = {name.lower(): value for name, value in _HEADER.findall(part[: blank.start()].decode("utf-8"))}
    disposition = header_parameters(headers.get("content-disposition", ""))
    if "name" in disposition:
        encoding = headers.get("content-transfer-encoding", "8bit").strip().lower()
        content = _decoded(part[blank.end() :], encoding)
        if disposition.keys().isdisjoint(_FILE) and encoding != "base64":
            # HTML and MIME require CRLF as the line end in values of forms. Files are sent unchanged.
            content = content.replace(b"\r\n", b"\n")
        yield disposition["name"], content.decode("utf-8")


def header_parameters(value: str) -> dict[str, str]:
    """Return the parameters in the value of a header: `form-data; name="data"` has one."""
    return {name.lower(): _unquoted(content.strip()) for name, content in _PARAMETER.findall(value)}


def _unquoted(value: str) -> str:
    if len(value) < 2 or not value[0] == value[-1] == '"':
        return value
    return _ESCAPED.sub(r"\1", value[1:-1]) if "\\" in value else value[1:-1]


def _decoded(content: bytes, encoding: str) -> bytes:
    if encoding == "base64":
        return _from_base64(content)
    if encoding == "quoted-printable":
        return binascii.a2b_qp(content)
    if encoding not in ("7bit", "8bit", "binary"):
        raise ValueError(f"in the unknown Content-Transfer-Encoding '{encoding}'; use 8bit, quoted-printable or base64")
    return content


def _from_base64(content: bytes) -> bytes:
    try:
        return binascii.a2b_base64(content)
    except binascii.Error:
        raise ValueError("not valid base64; encode the part again, or send it as 8bit") from None
