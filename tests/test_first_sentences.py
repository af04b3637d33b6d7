"""The first sentences: the file is valid, and the shipped models find the roots."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import gardenpath as gp
from gardenpath import treebank

DATA = Path(__file__).parents[1] / "data"
FILE = DATA / "first-sentences" / "first-sentences.conllu"
GROUPS = {"question": 20, "wh": 10, "headline": 10, "imperative": 10, "statement": 10}
# For each shipped model, the number of sentences in which it must find the root; raise it with a better model.
ROOTS = {"en": 55, "en-fast": 53}


@pytest.fixture(scope="module")
def sentences():
    return list(gp.read_conllu(FILE))


def test_check_finds_no_problem():
    """Modal verbs have no Mood and "there" has no PronType, as in English-EWT."""
    report = treebank.check(FILE, systems=[], disable=["verbform-fin-without-mood", "pron-det-without-prontype"])
    assert report.ok
    assert not report.warnings


def test_groups_have_their_sizes(sentences):
    assert Counter(sentence.sent_id.rpartition("-")[0] for sentence in sentences) == GROUPS
    assert all(4 <= len(sentence.text.split()) <= 18 for sentence in sentences)


def test_the_text_is_its_tokens(sentences):
    for sentence in sentences:
        pieces = [(token.form, token.misc if hasattr(token, "misc") else token.rest[-1]) for token in sentence.tokens]
        text = "".join(form + " " * (misc != "SpaceAfter=No") for form, misc in pieces).rstrip()
        assert text == sentence.text, sentence.where


def test_no_sentence_is_twice_or_in_the_sample(sentences):
    texts = {sentence.text for sentence in sentences}
    assert len(texts) == len(sentences)
    for path in sorted((DATA / "sample").glob("*.conllu")):
        assert not texts & {sentence.text for sentence in gp.read_conllu(path)}, path.name


@pytest.mark.parametrize("name", ROOTS)
def test_shipped_models_find_most_roots(sentences, name):
    model = gp.load(name)
    wrong = []
    for gold in sentences:
        (parsed,) = model(gold.text, input="lines").sentences
        if [word.form for word in parsed] != [word.form for word in gold] or parsed.heads[gold.heads.index(0)] != 0:
            wrong.append(gold.text)
    assert len(sentences) - len(wrong) >= ROOTS[name], "\n".join(wrong)


def test_the_official_validator_has_no_complaint():
    pytest.importorskip("udtools", reason="udtools is not installed")
    command = [str(Path(sys.executable).with_name("udvalidate")), "--lang", "en", "--level", "5", str(FILE)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
