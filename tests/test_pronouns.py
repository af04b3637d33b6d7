"""Tests of the script that exchanges masculine for feminine pronouns."""

import io

import pytest

import gardenpath as gp
from scripts import TOOLS, load_script

SENTENCE = """\
# sent_id = one
# text = He gave HIS brother a book himself.
1\tHe\the\tPRON\tPRP\tCase=Nom|Gender=Masc|Number=Sing\t2\tnsubj\t_\t_
2\tgave\tgive\tVERB\tVBD\t_\t0\troot\t_\t_
3\tHIS\this\tPRON\tPRP$\tGender=Masc|Poss=Yes\t4\tnmod:poss\t_\t_
4\tbrother\tbrother\tNOUN\tNN\t_\t2\tiobj\t_\t_
5\ta\ta\tDET\tDT\t_\t6\tdet\t_\t_
6\tbook\tbook\tNOUN\tNN\t_\t2\tobj\t_\t_
7\thimself\thimself\tPRON\tPRP\tGender=Masc\t2\tobl:npmod\t_\tSpaceAfter=No
8\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

"""


@pytest.fixture(scope="module")
def script():
    return load_script(TOOLS / "pronouns.py")


def one(text):
    (sentence,) = gp.read_conllu(io.BytesIO(text.encode()))
    return sentence


def test_pronouns_are_exchanged_in_words_and_text(script):
    assert script.is_suitable(one(SENTENCE))
    found = one(script.exchanged(one(SENTENCE)))
    assert found.text == "She gave HER brother a book herself."
    assert [word.form for word in found.words] == ["She", "gave", "HER", "brother", "a", "book", "herself", "."]
    assert [word.lemma for word in found.words if word.upos == "PRON"] == ["she", "her", "herself"]
    assert {word.feats["Gender"] for word in found.words if word.upos == "PRON"} == {"Fem"}
    assert [word.head for word in found.words] == [word.head for word in one(SENTENCE).words]


@pytest.mark.parametrize("old, new", [
    ("HIS\this", "their\ttheir"),                 # no possessive to exchange
    ("He\the\tPRON", "He\tHe\tPROPN"),            # the symbol of helium
    ("HIS\this", "HIS\this/her"),                 # an unusual lemma
])
def test_other_sentences_are_left_out(script, old, new):
    assert not script.is_suitable(one(SENTENCE.replace(old, new)))
