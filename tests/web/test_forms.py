"""Parameters of requests: valid bodies are read, and all others give an `InputError`."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.errors import InputError
from gardenpath.web.forms import HEADERS, MULTIPART, URL_ENCODED, header_parameters, read_body, read_query
from web.udpipe_client import multipart

X = f"{MULTIPART}; boundary=x"
VALUES = st.text(
    st.one_of(st.characters(codec="utf-8", exclude_characters="\r"), st.sampled_from("\n-=&%+ \t\0")), max_size=40
)
PIECES = st.sampled_from(
    [
        b"--x", b"--x--", b"\r\n", b"\n", b"\r", b"-", b"x", b"Content-Disposition: form-data; name=data",
        b"Content-Disposition: form-data", b'; name="', b"Content-Transfer-Encoding: base64",
        b"Content-Transfer-Encoding: quoted-printable", b"Content-Transfer-Encoding: odd", b"=4", b"QUJD", b"\xff",
        b"\0", "\N{SNOWMAN}".encode(), b'"', b"\\", b";", b"=", b":", b" ", b"\t",
    ]
)


def part(content, headers=b"", name=b'name="data"', newline=b"\r\n"):
    """A body with one part."""
    lines = [
        b"--x", b"Content-Disposition: form-data; " + name, *([headers] if headers else []), b"", content, b"--x--",
        b"",
    ]
    return newline.join(lines)


@pytest.mark.parametrize(
    "query, parameters",
    [
        (b"", {}),
        (b"data=a+b%20c&model=&tagger", {"data": "a b c", "model": "", "tagger": ""}),
        (b"a=1&a=2", {"a": "2"}),
        (b"data=%C5%BElu%C5%A5", {"data": "žluť"}),
        ("data=žluť".encode(), {"data": "žluť"}),
        (b"data=a;b&&=x", {"data": "a;b", "": "x"}),
        (b"data=%zz%", {"data": "%zz%"}),
        (b"data=%00", {"data": "\0"}),
    ],
)
def test_queries(query, parameters):
    assert read_query(query) == parameters
    assert read_body(f"{URL_ENCODED.upper()} ; charset=UTF-8", query) == parameters


@pytest.mark.parametrize("query", [b"data=%ff", b"data=\xff", b"data=%ED%A0%80", b"data=\xed\xa0\x80", b"%C5=1"])
def test_queries_that_are_not_utf8(query):
    with pytest.raises(InputError, match=r"^Cannot parse request URL\. Its query is not UTF-8 \(byte 0x"):
        read_query(query)
    with pytest.raises(
        InputError, match=r"^Cannot parse the application/x-www-form-urlencoded payload\. It is not UTF-8 \(byte 0x"
    ):
        read_body(URL_ENCODED, query)


def test_unsupported_bodies():
    assert read_body("", b"") == {}
    for content_type, body in (
        ("", b"data=a"),
        ("text/plain", b"a"),
        ("application/json", b""),
        ("multipart/mixed; boundary=x", b""),
    ):
        with pytest.raises(InputError) as raised:
            read_body(content_type, body)
        assert str(raised.value) == f"Unsupported payload Content-Type '{content_type}'."


@pytest.mark.parametrize("encoding", ["8bit", "quoted-printable", "base64"])
@given(st.dictionaries(st.text("abcdefghijklmnopqrstuvwxyz_", min_size=1, max_size=8), VALUES, min_size=1, max_size=4))
def test_bodies_of_udpipes_client_are_read(encoding, parameters):
    assert read_body(*multipart(parameters, encoding)) == parameters


@pytest.mark.parametrize("newline", [b"\r\n", b"\n"])
@pytest.mark.parametrize(
    "name",
    [
        b'name="data"', b"name=data", b'NAME = "data"', b'name="da\\ta"', b'filename="; name=no"; name="data"',
        b'name="data"; filename="a.txt"',
    ],
)
def test_names_of_parts(name, newline):
    assert read_body(X, part(b"a", name=name, newline=newline)) == {"data": "a"}


def test_parts_of_files_keep_their_line_ends():
    """Values of forms are always sent with CRLF. Files are sent unchanged."""
    content = b"a\r\nb\n\r\n--xy: no boundary at the beginning of a line\r"
    assert read_body(X, part(content.replace(b"\r\n--xy", b" --xy"))) == {
        "data": "a\nb\n --xy: no boundary at the beginning of a line\r"
    }
    assert read_body(X, part(b"a\r\nb\n", name=b'name="data"; filename="a"')) == {"data": "a\r\nb\n"}
    assert read_body(X, part(b"a\r\nb\n", name=b"name=\"data\"; filename*=utf-8''a")) == {"data": "a\r\nb\n"}
    assert read_body(X, part(b"YQ0KYg==", b"Content-Transfer-Encoding: BASE64")) == {"data": "a\r\nb"}


def test_unusual_parts():
    body = (
        b"preamble\r\n--x  \r\nContent-Type: text/plain;\r\n charset=utf-8\r\n"
        b"Content-Disposition: form-data;\r\n\tname=data\r\n\r\n\xc3\xa9\r\n"
        b'--x\r\n\r\nno name\r\n--x\r\nContent-Disposition: form-data; name="model"\r\n\r\n\r\n'
        b"--x\nContent-Disposition: form-data; name=data\n\nlast\n--x--\r\nepilogue"
    )
    assert read_body(f'{MULTIPART}; charset=utf-8; boundary="x"', body) == {"data": "last", "model": ""}
    assert read_body(X, body.replace(b"\nlast\n", b"\n\n")) == {"data": "", "model": ""}


@pytest.mark.parametrize(
    "body, reason",
    [
        (b"", "incomplete"),
        (b"--x\r\n", "incomplete"),
        (part(b"a")[:-6], "incomplete"),
        (b"--x\r\na: b\r\n--x--", "blank line"),
        (part(b"\xff"), "not UTF-8"),
        (part(b"\xed\xa0\x80"), "not UTF-8"),
        (part(b"a", b"X: \xff"), "not UTF-8"),
        (part(b"Q", b"Content-Transfer-Encoding: base64"), "not valid base64"),
        (part(b"=FF", b"Content-Transfer-Encoding: quoted-printable"), "not UTF-8"),
        (part(b"/w==", b"Content-Transfer-Encoding: base64"), "not UTF-8"),
        (part(b"a", b"Content-Transfer-Encoding: gzip"), "unknown Content-Transfer-Encoding 'gzip'"),
        (part(b"a", b"X: " + b"x" * HEADERS), "blank line"),
    ],
)
def test_bodies_that_are_not_multipart(body, reason):
    with pytest.raises(InputError, match=rf"^Cannot parse the multipart/form-data payload\. It is .*{reason}.*\.$"):
        read_body(X, body)


@pytest.mark.parametrize(
    "content_type",
    [MULTIPART, f"{MULTIPART}; boundary=", f'{MULTIPART}; boundary=""', f"{MULTIPART}; boundary=\N{SNOWMAN}"],
)
def test_invalid_boundaries(content_type):
    with pytest.raises(InputError, match=r"^Cannot parse the multipart/form-data payload\."):
        read_body(content_type, part(b"a"))


def test_parameters_of_headers():
    assert header_parameters('form-data; a=b ;C = "d;\\"e\\\\" ; f; g=') == {"a": "b", "c": 'd;"e\\', "g": ""}


@given(
    st.one_of(st.binary(max_size=200), st.lists(PIECES, max_size=30).map(b"".join)), st.booleans(),
    st.sampled_from([X, URL_ENCODED]),
)
def test_any_body_is_read_or_gives_an_input_error(body, closed, content_type):
    with suppress(InputError):
        parameters = read_body(content_type, b"--x" + body + b"\r\n--x--" if closed else body)
        assert all(text.encode().decode() == text for pair in parameters.items() for text in pair)


@given(st.binary(max_size=60))
def test_any_query_is_read_or_gives_an_input_error(query):
    with suppress(InputError):
        read_query(query)


@pytest.mark.parametrize(
    "content_type, content",
    [
        (URL_ENCODED, b"%41"),
        (URL_ENCODED, b"a&"),
        (X, b"--x\n"),
        (X, b"\r\n--x\r\n\r\n"),
        (X, b'--x\nContent-Disposition: form-data; name="a"\n\nb\n'),
        (X, b"\n\t\t\t"),
        (X, b'--x\nA:; a="\\'),
        (X, b"--x "),
        (X, b"\r"),
        (X, b'; name="'),
    ],
)
def test_large_bodies_take_no_more_than_linear_time(content_type, content):
    """This takes a moment. An algorithm of quadratic time would take hours."""
    body = b"--x\nContent-Disposition: form-data" + content * ((1 << 21) // len(content)) + b"\n--x--"
    with suppress(InputError):
        read_body(content_type, body)
