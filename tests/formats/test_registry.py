"""The registry of formats: round trips, counts of what is lost, errors."""

import io
import re
from pathlib import Path

import pytest

import gardenpath as gp
from gardenpath.formats import registry
from gardenpath.formats.losses import Losses
from sample import DEV
from test_readme import REPOSITORY

RICH = gp.Sentence(
    [
        gp.Word(1, "do", "do", "AUX", "VB", "Mood=Imp", 2, "aux", "2:aux", "PHEAD=2"),
        gp.Word(2, "n t", head=0, deprel="root", misc="X=y|PDEPREL=r"),
    ],
    ["# text = don't"], [gp.Token(1, 2, "don't")], [gp.EmptyNode(2, 1, "x")],
)
PLAIN = gp.Sentence([gp.Word(1, "a", head=0, deprel="root")])


def written(sentences, name, **options):
    target = io.BytesIO()
    losses = registry.write(sentences, target, name, **options)
    return target.getvalue(), losses


@pytest.mark.parametrize("name", ["conllu", "conllup", "parquet", "arrow", "json"])
def test_lossless_formats(name):
    content, losses = written([RICH, PLAIN], name)
    assert str(losses) == ""
    assert [sentence.to_conllu() for sentence in registry.read(io.BytesIO(content), name)] == [
        RICH.to_conllu(), PLAIN.to_conllu(),
    ]


@pytest.mark.parametrize("name, lost", [
    ("conllx", "comments (1), multiword tokens (1), empty nodes (1), spaces in FORM and LEMMA (1), DEPS (1), MISC (1)"),
    ("matxin", "comments (1), multiword tokens (1), empty nodes (1), UPOS (1), XPOS (1), DEPS (1), MISC (1)"),
    (
        "vertical",
        "comments (1), multiword tokens (1), empty nodes (1), LEMMA (1), UPOS (1), XPOS (1), FEATS (1), HEAD (2), "
        "DEPREL (2), DEPS (1), MISC (1)",
    ),
    ("svg", "comments (1), empty nodes (1), DEPS (1), MISC (1)"),
])
def test_losses_are_counted(name, lost):
    assert str(written([RICH, PLAIN], name)[1]) == lost
    assert str(written([PLAIN], name)[1]) == ("HEAD (1), DEPREL (1)" if name == "vertical" else "")


def test_losses_of_conllu_plus_depend_on_its_columns():
    content, losses = written([RICH, PLAIN], "conllup", columns=["ID", "FORM", "HEAD", "X", "PHEAD"])
    assert str(losses) == "LEMMA (1), UPOS (1), XPOS (1), FEATS (1), DEPREL (2), DEPS (1), MISC (1)"
    assert content.decode().splitlines()[4] == "2\tn t\t0\ty\t_"
    assert not written([RICH], "conllup", columns=["ID", "X", "PHEAD", "PDEPREL"])[1].counts["MISC"]


def test_conllu_plus_keeps_the_columns_of_the_file():
    content, _ = written([RICH], "conllup", columns=["ID", "X"])
    assert written(registry.read(io.BytesIO(content), "conllup"), "conllup")[0] == content


@pytest.mark.parametrize("name", registry.writable())
def test_the_sample_in_every_format(name, tmp_path):
    registry.write(gp.read_conllu(DEV), tmp_path / "file.ann", name)
    assert (tmp_path / "file.ann").stat().st_size > 4_000
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file.ann", *(["file.txt"] if name == "brat" else [])]


@pytest.mark.parametrize("name", ["horizontal", "vertical"])
def test_udpipe_formats_are_read(name):
    content, _ = written(gp.read_conllu(DEV), name)
    assert [[word.form for word in sentence] for sentence in registry.read(io.BytesIO(content), name)] == [
        [word.form for word in sentence] for sentence in gp.read_conllu(DEV)
    ]


def test_conllx_round_trips():
    content, _ = written([RICH], "conllx")
    assert content == b"1\tdo\tdo\tAUX\tVB\tMood=Imp\t2\taux\t2\t_\n2\tn_t\t_\t_\t_\t_\t0\troot\t_\tr\n\n"
    (back,) = registry.read(io.BytesIO(content), "conllx")
    assert written([back], "conllx")[0] == content


@pytest.mark.parametrize("name", ["conllu", "conllx", "conllup", "json", "tikz"])
def test_sentences_are_written_one_by_one(name):
    target = io.BytesIO()

    def sentences():
        for _ in range(3):
            before = target.tell()
            yield PLAIN
            assert target.tell() > before

    registry.write(sentences(), target, name)


def test_endings():
    expected = {".conllu": "conllu", ".cupt": "conllup", ".feather": "arrow", ".gv": "dot"}
    assert {ending: registry.by_ending(f"a.b{ending.upper()}").name for ending in expected} == expected
    assert registry.by_ending("conllu") is registry.by_ending(Path("a.doc")) is None
    endings = [ending for format in registry.FORMATS.values() for ending in format.endings]
    assert len(endings) == len(set(endings))


@pytest.mark.parametrize("call, fault", [
    (lambda: registry.read("-", "doc"), "no format is called 'doc'; choose one of conllu, conllx,"),
    (lambda: registry.read("-", "svg"), "SVG can only be written; choose a format that can be read: conllu, conllx,"),
    (lambda: written([], "conllu", columns=["ID"]), "CoNLL-U has no option `columns`"),
    (lambda: written([], "json", nested=True), "JSON has no option `nested`"),
    (lambda: written([], "conllup", columns=["FORM"]), "ID must be among them"),
    (lambda: written([], "brat"), "brat has two files"),
])
def test_usage_errors(call, fault):
    with pytest.raises(gp.UsageError, match=re.escape(fault)):
        call()


@pytest.mark.parametrize("name, content, fault", [
    ("json", b"{", "<stream>: JSON: "), ("vertical", b"\xff", "<stream>:1: byte 0xff is not UTF-8"),
    ("horizontal", b"a\xff", "<stream>:1: byte 0xff is not UTF-8"),
])
def test_input_errors(name, content, fault):
    with pytest.raises(gp.InputError, match=re.escape(fault)):
        list(registry.read(io.BytesIO(content), name))


def test_no_sentences_have_no_losses():
    assert str(Losses(["DEPS"])) == ""


def test_every_format_is_documented():
    """Compare the table in the documentation with the registry."""
    page = (REPOSITORY / "docs" / "convert.md").read_text(encoding="utf-8")
    described = re.findall(r"^\| `(\w+)` \|([^|]*)\|([^|]*)\|([^|]*)\|", page, re.MULTILINE)
    assert [
        (name, re.findall(r"`(\.\w+)`", endings), "yes" in read, "yes" in write)
        for name, endings, read, write in described
    ] == [
        (format.name, list(format.endings), format.read is not None, format.write is not None)
        for format in registry.FORMATS.values()
    ]
