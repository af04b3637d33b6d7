"""Models are made from treebanks of unusual shapes, and parse raw text that looks like them."""

import re

import pytest

import gardenpath as gp
from gardenpath.errors import InputError
from gardenpath.making import MakeOptions, make
from small_treebanks import files_of

QUICK = {"epochs": 1, "min_updates": 1}
EMPTY_NODE = "\t".join(["1.1", "e", *"______", "0:root", "_"])


def without(*columns):
    """Empty columns, which are counted from 0."""
    def change(row):
        return ["_" if i in columns else cell for i, cell in enumerate(row)]

    return change


def in_chinese(row):
    """One to three Chinese characters per word, without spaces."""
    signs = {".": "。", ",": "，", "?": "？", "!": "！"}
    form = signs.get(row[1]) or "".join(chr(0x4E00 + ord(sign)) for sign in row[1][:3])
    return [row[0], form, form, *row[3:9], "SpaceAfter=No"]


def in_hebrew(row):
    return [row[0], "".join(chr(0x5D0 + ord(sign) % 27) if sign.isalpha() else sign for sign in row[1]), *row[2:]]


def with_spaces(row):
    return [row[0], f"{row[1][:2]} {row[1][2:]}" if len(row[1]) > 4 else row[1], *row[2:]]


def by_line(change):
    """Change the columns of each line, without the comments `# text`."""
    def changed(text):
        lines = re.sub("# text = .*\n", "", text).split("\n")
        return "\n".join("\t".join(change(line.split("\t"))) if line[:1].isdigit() else line for line in lines)

    return changed


SHAPES = {
    "no XPOS": by_line(without(4)), "no FEATS": by_line(without(4, 5)), "no lemmas": by_line(without(2)),
    "no spaces": by_line(in_chinese), "from right to left": by_line(in_hebrew), "spaces in forms": by_line(with_spaces),
    "no comments": lambda text: re.sub("^#.*\n", "", text, flags=re.MULTILINE),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "empty nodes": lambda text: re.sub(r"^1\t.*\n", rf"\g<0>{EMPTY_NODE}\n", text, flags=re.MULTILINE),
}


def write(folder, change, parts):
    for name, text in files_of("xx_odd", parts=parts).items():
        (folder / name).write_text(change(text), encoding="utf-8", newline="")


@pytest.mark.parametrize("shape", SHAPES)
def test_unusual_shapes(tmp_path, shape):
    write(tmp_path, SHAPES[shape], ("train", "test"))
    made = make("Odd", MakeOptions(tmp_path, settings=QUICK, folder=tmp_path / "models"))
    assert made.model.about.test_scores["Tokens"] > 80
    assert made.model.about.test_scores["UAS"] > 20
    gold = list(gp.read_conllu(tmp_path / "xx_odd-ud-test.conllu"))
    text = " ".join(sentence.text for sentence in gold[:3])
    document = gp.load(made.path)(text)
    forms = [token.form for sentence in document for token in sentence.tokens]
    assert "".join("".join(forms).split()) == "".join(text.split())
    assert len(forms) > 5
    assert max(map(len, forms)) < 20


@pytest.mark.parametrize("change, message", [
    (without(2, 3, 4, 5), "no word has UPOS, XPOS or FEATS, so no tagger can be trained; .* tags=gold"),
    (without(6, 7), "have no head; give every word a HEAD"),
    (lambda row: [*row[:6], "0", "root", *row[8:]] if row[0].isdigit() else row, "several roots"),
])
def test_treebanks_that_cannot_be_used(tmp_path, change, message):
    write(tmp_path, by_line(change), ("train",))
    with pytest.raises(InputError, match=message):
        make("Odd", MakeOptions(tmp_path, settings=QUICK, folder=tmp_path / "models"))
