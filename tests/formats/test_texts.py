"""The text of web pages, Word documents and tables; hostile files are errors."""

import contextlib
import io
import zipfile

import pytest

import gardenpath as gp
from gardenpath.formats import docx_text, texts
from gardenpath.formats.html_text import text_of_html
from gardenpath.formats.texts import kind_by_ending, read_texts
from word_documents import MAIN, docx, paragraphs


def text_of(content, kind, **options):
    return "".join(piece.text for piece in read_texts(io.BytesIO(content), kind, **options))


@pytest.mark.parametrize("page, text", [
    ("<p>One <b>bold</b> word.</p><p>Two.</p>", "One bold word.\n\nTwo."),
    ("<p>One.<p>Two.", "One.\n\nTwo."),
    ("a<br>b<br/>c", "a\nb\nc"),
    ("<ul><li>one<li>two</ul>end", "one\n\ntwo\n\nend"),
    ("<title>T</title><style>p {}</style><script>var a = '<p>';</script><p>Text", "Text"),
    ("<noscript>hidden<body>shown", "shown"),
    ("<p>A\n  wrapped\tline&nbsp;with &amp;, &eacute; and &#233;.", "A wrapped line with &, é and é."),
    ("<pre>one\n  two</pre>", "one\ntwo"),
    ("<table><tr><td>a</td><td>b</td></tr></table>", "a\n\nb"),
    ("in<span>side</span>", "inside"),
    ("<!-- a comment --><!DOCTYPE html>text", "text"),
    ("</p></div></script></style>text", "text"),
    ("<p <b> <i>", ""),
    ("", ""),
])
def test_pages(page, text):
    assert text_of_html(page) == text_of(page.encode(), "html") == text


@pytest.mark.parametrize("declaration, encoding", [
    ('<meta charset="iso-8859-1">', "cp1252"), ("<meta charset=windows-1257>", "cp1257"),
    ('<META http-equiv="Content-Type" content="text/html; charset=utf-8">', "utf-8"), ("", "utf-8"),
    ('<meta charset="nonsense">', "utf-8"),
])
def test_encodings_of_pages(declaration, encoding):
    page = f"{declaration}<p>“šž”</p>".encode(encoding)
    assert text_of(page, "html") == "“šž”"
    assert text_of("<p>“šž”</p>".encode("cp1257"), "html", encoding="cp1257") == "“šž”"


def test_entities_of_pages_are_not_expanded():
    page = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><p>&b;</p>'
    assert "aaaa" not in text_of_html(page).removesuffix("&b;").replace('"aaaa"', "")


def test_word_documents():
    body = (
        paragraphs("The dog", " barked.") + "<w:p/>"
        "<w:p><w:del><w:r><w:t>gone</w:t></w:r></w:del><w:ins><w:r><w:t>It</w:t></w:r></w:ins>"
        "<w:r><w:tab/><w:t>ran</w:t><w:br/><w:instrText>PAGE</w:instrText><w:t>fast.</w:t></w:r></w:p>"
        "<w:p><w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom></w:p>"
        f"<w:tbl><w:tr><w:tc>{paragraphs('cell')}</w:tc></w:tr></w:tbl>"
    )
    assert text_of(docx(body), "docx") == "The dog barked.\n\nIt\tran\nfast.\n\ncell"


def test_the_main_part_may_have_another_name():
    assert text_of(docx(paragraphs("Text."), main="word/document2.xml"), "docx") == "Text."


BOMB = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'


@pytest.mark.parametrize("content, reason", [
    (b"not a zip file", "not a readable Word document"),
    (b"", "not a readable Word document"),
    (bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 100, "encrypted, or in the old format"),
    (docx(paragraphs("a"))[:-30], "not a readable Word document"),
    (docx("<w:p><w:t>a"), "not a readable Word document"),
    (docx(paragraphs("&b;"), before=BOMB), "declares a document type"),
    (docx(paragraphs("a"), relations=""), "not a readable Word document"),
    (docx(paragraphs("a"), relations="<r/>"), "no main part"),
    (docx(paragraphs("a"), main="../../etc/passwd", target="../../etc/passwd"), None),
    (docx(paragraphs("a"), target="word/missing.xml"), "not a readable Word document"),
])
def test_hostile_word_documents(content, reason):
    if reason is None:
        assert text_of(content, "docx") == "a"       # a name inside the archive, not a path
        return
    with pytest.raises(gp.InputError, match=reason):
        text_of(content, "docx")


def test_sizes_are_limited(monkeypatch):
    monkeypatch.setattr(docx_text, "LARGEST", 100_000)
    bomb = docx(paragraphs("a" * 1_000_000))
    assert len(bomb) < 10_000
    with pytest.raises(gp.InputError, match=rf"{MAIN} has more than 100,000 bytes"):
        text_of(bomb, "docx")
    monkeypatch.setattr(texts, "LARGEST", 10)
    for kind in ("html", "docx"):
        with pytest.raises(gp.InputError, match="the file has more than 10 bytes"):
            text_of(b"<p>A long page", kind)


def test_damaged_bytes_of_word_documents_are_errors():
    """Whatever byte is changed, there is a text or an `InputError`."""
    content = docx(paragraphs("The dog barked."), compression=zipfile.ZIP_DEFLATED)
    for place in range(0, len(content), 3):
        damaged = bytearray(content)
        damaged[place] ^= 0x55
        with contextlib.suppress(gp.InputError):
            assert isinstance(text_of(bytes(damaged), "docx"), str)


@pytest.mark.parametrize("table, found", [
    ("id,text\n7,One.\n8,\"Two, three.\"\n", [("7", "One."), ("8", "Two, three.")]),
    ("name;text\na;\"One.\nTwo.\"\n\nb;Three.\n", [("1", "One.\nTwo."), ("3", "Three.")]),
    ("n\ttext\tid\n1\tOne.\tx\n2\n", [("x", "One.")]),
    ("sentence\nOne.\nTwo.\n", [("1", "One."), ("2", "Two.")]),
    ("\ufeffid,text\r\n1,Ünë.\r\n", [("1", "Ünë.")]),
])
def test_tables(table, found):
    pieces = read_texts(io.BytesIO(table.encode()), "csv")
    assert [(piece.id, piece.text) for piece in pieces] == found


def test_columns_of_tables():
    table = "nr,body\nx,One.\n".encode("utf-16")
    [piece] = read_texts(io.BytesIO(table), "csv", encoding="utf-16", text_field="body", id_field="nr")
    assert (piece.id, piece.text) == ("x", "One.")
    with pytest.raises(gp.InputError, match="no column 'text', only nr, body; name the column with the text"):
        text_of(b"nr,body\nx,One.\n", "csv")
    with pytest.raises(gp.InputError, match="an empty first row"):
        text_of(b"", "csv")
    with pytest.raises(gp.InputError, match="the table cannot be read"):
        text_of(b'id,text\n1,"never closed', "csv")
    with pytest.raises(gp.InputError, match="the table cannot be read"):
        text_of(b"id,text\n1," + b"a" * 200_000, "csv")
    with pytest.raises(gp.InputError, match=r"byte 0xe9 is not UTF-8 .* use --encoding cp1252"):
        text_of(b"id,text\n1,caf\xe9.\n", "csv")


def test_endings():
    names = ("a.TXT", "a.md", "a.htm", "a.docx", "a.tsv", "a.conllu", "a.png", "a")
    assert [kind_by_ending(name) for name in names] == ["text", "text", "html", "docx", "csv", None, None, None]
