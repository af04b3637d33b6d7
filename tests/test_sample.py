"""The sample treebank: made again it is the same to the byte; its trees are trees, its text is its words."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from gardenpath import read_conllu
from gardenpath.trees import is_projective, problems

SAMPLE = Path(__file__).parents[1] / "data" / "sample"
SIZES = {"train": 400, "dev": 80, "test": 80}


@pytest.fixture(scope="module", params=SIZES)
def part(request):
    return request.param, list(read_conllu(SAMPLE / f"sample-{request.param}.conllu"))


def test_the_generator_gives_the_committed_files(tmp_path):
    subprocess.run([sys.executable, str(SAMPLE / "make.py"), str(tmp_path)], check=True)
    for name in SIZES:
        assert (tmp_path / f"sample-{name}.conllu").read_bytes() == (SAMPLE / f"sample-{name}.conllu").read_bytes()


def test_every_sentence_is_a_tree_with_one_root(part):
    name, sentences = part
    assert len(sentences) == SIZES[name]
    for sentence in sentences:
        assert problems(sentence.heads) == [], sentence.where
        assert [word.deprel for word in sentence if word.head == 0] == ["root"], sentence.where
        assert all(word.deprel != "root" for word in sentence if word.head != 0), sentence.where


def test_the_text_is_its_tokens(part):
    for sentence in part[1]:
        pieces = [(token.form, token.misc if hasattr(token, "misc") else token.rest[-1]) for token in sentence.tokens]
        assert "".join(form + " " * (misc != "SpaceAfter=No") for form, misc in pieces).rstrip() == sentence.text, (
            sentence.where
        )
        assert all(
            "".join(sentence.words[i - 1].form for i in range(token.first, token.last + 1)) == token.form
            for token in sentence.ranges
        )


def test_what_is_said_of_it_is_so(part):
    _, sentences = part
    assert 0.06 < sum(not is_projective(sentence.heads) for sentence in sentences) / len(sentences) < 0.1
    assert any(sentence.ranges for sentence in sentences)
    assert any(sentence.empty_nodes for sentence in sentences)
    assert (
        sum(comment.startswith("# newdoc") for sentence in sentences for comment in sentence.comments)
        == len(sentences) / 20
    )
    relations = {word.deprel for sentence in sentences for word in sentence}
    assert relations > {
        "nsubj:pass",
        "aux:pass",
        "acl:relcl",
        "nmod:poss",
        "conj",
        "cc",
        "mark",
        "advcl",
        "ccomp",
        "xcomp",
        "punct",
        "orphan",
        "acl",
    }


def test_columns_are_well_formed(part):
    for sentence in part[1]:
        for word in sentence:
            assert re.fullmatch(r"[A-Z]+", word.upos)
            keys = [pair.partition("=")[0].lower() for pair in word.feats.split("|")]
            assert word.feats == "_" or keys == sorted(set(keys)), (sentence.where, word.feats)
            assert word.lemma != "_"
            assert word.deps != "_"


def test_no_sentence_is_in_two_parts():
    texts = [sentence.text for name in SIZES for sentence in read_conllu(SAMPLE / f"sample-{name}.conllu")]
    assert len(texts) == len(set(texts)) == sum(SIZES.values())


def test_the_official_validator_has_no_complaint(part):
    pytest.importorskip("udtools", reason="udtools is not installed")
    command = [
        str(Path(sys.executable).with_name("udvalidate")),
        "--lang",
        "ud",
        "--level",
        "2",
        str(SAMPLE / f"sample-{part[0]}.conllu"),
    ]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
