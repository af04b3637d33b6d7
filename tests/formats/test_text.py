"""Plain text in pieces: together they are the text, and they end with a paragraph or a line."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.errors import InputError
from gardenpath.formats import text
from gardenpath.formats.text import pieces_of, read_pieces


def pieces(content, **options):
    return list(read_pieces(io.BytesIO(content.encode()), **options))


@pytest.fixture
def small(monkeypatch):
    """Use limits so small that short texts have several pieces."""
    monkeypatch.setattr(text, "PIECE", 10)
    monkeypatch.setattr(text, "LONGEST", 40)
    monkeypatch.setattr(text, "_READ", 7)


@given(st.text(alphabet="ab é🙂\n\r\t", max_size=300), st.booleans())
def test_the_pieces_make_up_the_text(content, by_line):
    original = text.PIECE, text.LONGEST, text._READ
    text.PIECE, text.LONGEST, text._READ = 10, 40, 7
    try:
        read = pieces(content, by_line=by_line)
    finally:
        text.PIECE, text.LONGEST, text._READ = original
    assert "".join(piece.text for piece in read) == content
    assert all(content[piece.offset :].startswith(piece.text) for piece in read)


def test_pieces_end_with_paragraphs(small):
    content = "one two three\nfour\n \nfive six seven\r\n\r\neight"
    assert [piece.text for piece in pieces(content)] == ["one two three\nfour\n \n", "five six seven\r\n\r\n", "eight"]
    assert not any(piece.continues for piece in pieces(content))


def test_pieces_end_with_lines(small):
    assert [piece.text for piece in pieces("one two three\nfour\nfive six seven\n", by_line=True)] == [
        "one two three\n", "four\nfive six seven\n",
    ]


def test_a_long_paragraph_is_cut_at_a_line_or_a_space(small):
    first, *others = pieces("a line\n" * 20)
    assert first.text.endswith("\n")
    assert not first.continues
    assert all(piece.continues for piece in others)
    assert pieces("word " * 20)[0].text.endswith(" ")
    assert [len(piece.text) for piece in pieces("x" * 100)] == [40, 40, 20]


def test_a_byte_order_mark_is_not_text():
    assert [piece.text for piece in pieces("\ufeffHello")] == ["Hello"]


def test_bytes_that_are_not_utf8_raise_an_error(tmp_path, small):
    path = tmp_path / "latin.txt"
    path.write_bytes(b"A line\nand another one\ncaf" + b"\xe9 au lait")
    with pytest.raises(InputError, match=r"latin\.txt:3: byte 0xe9 is not UTF-8 \(offset \d+\); "):
        list(read_pieces(path))


def test_empty_text():
    assert pieces("") == []


@pytest.mark.parametrize("by_line", [False, True])
def test_a_text_in_memory_gives_the_same_pieces_as_a_file(by_line):
    content = "".join(f"Line {number} é.\n" + "\n" * (number % 7 == 0) for number in range(60_000))
    assert list(pieces_of(content, by_line=by_line)) == pieces(content, by_line=by_line)
    assert [piece.continues for piece in pieces_of(content[:100], by_line=by_line, continues=True)] == [True]
