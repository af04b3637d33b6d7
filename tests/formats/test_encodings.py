"""Encodings of text: by name, detected, and wrong ones."""

import codecs
import io
import sys

import pytest

import gardenpath as gp
from gardenpath.formats import registry
from gardenpath.formats.encoding_guess import guess
from gardenpath.formats.encodings import checked_encoding, in_utf8
from gardenpath.formats.text import read_pieces
from sample import TEST

TEXTS = {
    "cp1252": "Die Straße führt über die Brücke, und Jörg grüßt die Gäste. „Schön“ – so heißt es.",
    "cp1250": "Příliš žluťoučký kůň úpěl ďábelské ódy, a pak šel dál do města.",
    "iso8859-2": "Zażółć gęślą jaźń, a potem wróć do miasta i śpij.",
    "cp1251": "Съешь ещё этих мягких французских булок, да выпей чаю.",
    "koi8-r": "Съешь ещё этих мягких французских булок, да выпей чаю.",
    "cp1253": "Το παιδί διαβάζει ένα βιβλίο κάτω από το δέντρο.",
    "cp1254": "Çocuk ağacın altında kitap okuyor, güneş ışığı yaprakların arasından süzülüyor.",
    "cp1257": "Bērns lasa grāmatu zem koka, un saule spīd caur lapām; māte gaida viņu mājās.",
    "utf-8": "Naïve café – ąęłñ, 中文.",
    "utf-16-le": "The child reads a book.\n",
    "utf-16-be": "Bērns lasa grāmatu zem koka.\n",
}


def text_of(source, encoding="utf-8"):
    return "".join(piece.text for piece in read_pieces(source, encoding=encoding))


@pytest.mark.parametrize("encoding", TEXTS)
def test_texts_are_guessed(encoding, tmp_path, recwarn):
    content = TEXTS[encoding].encode(encoding)
    assert guess(content) == encoding
    (tmp_path / "text.txt").write_bytes(content)
    for given in (encoding, "auto"):
        assert text_of(tmp_path / "text.txt", given) == TEXTS[encoding]
    assert [("is read as " + encoding in str(each.message)) for each in recwarn] == [True] * ("utf" not in encoding)


@pytest.mark.parametrize("mark, encoding", [
    (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"),
])
def test_byte_order_marks(mark, encoding):
    content = mark + "Zażółć 中文 𐍈.\n".encode(encoding)
    assert text_of(io.BufferedReader(io.BytesIO(content)), "auto") == "Zażółć 中文 𐍈.\n"


@pytest.mark.parametrize("content, found", [
    (b"", "utf-8"), (b"plain", "utf-8"), ("é".encode()[:1], "utf-8"), (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", None),
    (bytes(range(128, 256)), None), (b"\0" * 100, None), (b"a\0b", None), (b"caf\xe9!", "cp1252"),
])
def test_what_is_not_clear_is_not_guessed(content, found):
    assert guess(content) == found


def test_detection_looks_at_the_whole_file(tmp_path, recwarn):
    path = tmp_path / "late.txt"
    path.write_bytes(b"All is plain here.\n" * 40_000 + TEXTS["cp1254"].encode("cp1254"))
    assert text_of(path, "auto").endswith(TEXTS["cp1254"])
    assert "read as cp1254" in str(recwarn.pop(gp.GardenpathWarning).message)


@pytest.mark.filterwarnings("ignore::gardenpath.GardenpathWarning")
def test_errors_name_the_offset_and_the_likely_encoding(tmp_path):
    path = tmp_path / "text.txt"
    path.write_bytes(b"Line.\n" * 100_000 + TEXTS["cp1252"].encode("cp1252"))
    hint = "the text is probably cp1252: use --encoding cp1252"
    with pytest.raises(gp.InputError, match=rf"text\.txt:100001: byte 0xdf is not UTF-8 \(offset 600,008\); {hint}"):
        text_of(path)
    path.write_bytes("The dog.\n".encode("utf-16-le"))
    with pytest.raises(gp.InputError, match="not UTF-8 but probably utf-16-le: use --encoding utf-16-le"):
        text_of(path)
    path.write_bytes(b"caf\xe9")
    assert text_of(path, "auto") == "café"
    with pytest.raises(gp.InputError, match=r":1: byte 0xe9 is not UTF-8 \(offset 3\); the text is probably cp1252"):
        text_of(path)
    path.write_bytes(b"ab\x81\xff\xa1")
    with pytest.raises(gp.InputError, match=r"byte 0x81 is not UTF-8 \(offset 2\); the encoding is unclear; name it"):
        text_of(path)
    with pytest.raises(gp.InputError, match=r"byte 0x81 is not CP1252 \(offset 2\)"):
        text_of(path, "cp1252")
    with pytest.raises(gp.InputError, match="the encoding is unclear"):
        text_of(path, "auto")
    path.write_bytes(bytes(range(8)) * 100)
    with pytest.raises(gp.InputError, match="not text, because it has zero bytes"):
        text_of(path, "auto")


def test_single_zero_bytes_are_text(tmp_path):
    path = tmp_path / "text.txt"
    for mark in (b"", codecs.BOM_UTF8):
        path.write_bytes(mark + b"The\0dog.")
        assert text_of(path) == "The\0dog."


def test_truncated_text_is_an_error(tmp_path):
    path = tmp_path / "text.txt"
    path.write_bytes("ab".encode("utf-16-le")[:-1])
    with pytest.raises(gp.InputError, match=r"byte 0x62 is not UTF-16-LE \(offset 2\)"):
        text_of(path, "utf-16-le")


@pytest.mark.parametrize("name", ["klingon", "rot13", "hex", "base64", "zip", ""])
def test_names_that_are_not_encodings_of_text(name):
    with pytest.raises(gp.UsageError, match="unknown encoding"):
        checked_encoding(name)


@pytest.mark.parametrize("name, standard", [("Latin-1", "iso8859-1"), ("UTF8", "utf-8"), ("auto", "auto")])
def test_standard_names(name, standard):
    assert checked_encoding(name) == standard


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "cp1252"])
def test_columns_in_other_encodings(tmp_path, encoding):
    """CoNLL-U is converted before it is read, so line ends and columns are found."""
    path = tmp_path / "sample.conllu"
    path.write_bytes(TEST.read_text(encoding="utf-8").encode(encoding))
    read = registry.read(in_utf8(path, encoding), "conllu")
    assert "".join(sentence.to_conllu() for sentence in read).encode() == TEST.read_bytes()


def test_standard_input_is_detected_from_its_beginning(monkeypatch):
    content = io.BytesIO(TEXTS["cp1250"].encode("cp1250"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(content)))
    with pytest.warns(gp.GardenpathWarning, match="<stdin>: the text is not UTF-8 and is read as cp1250"):
        assert text_of("-", "auto") == TEXTS["cp1250"]


def test_files_are_closed(tmp_path):
    path = tmp_path / "text.txt"
    path.write_bytes(b"caf\xe9")
    with in_utf8(path, "cp1252") as stream:
        assert stream.read() == "café".encode()
    assert stream.raw._file.closed
