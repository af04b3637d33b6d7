"""Tests of the script that makes questions and headlines out of statements."""

import pytest

import gardenpath as gp
from scripts import TOOLS, load_script

# form, lemma, UPOS, XPOS, FEATS, head, label
THE = ("The", "the", "DET", "DT", "Definite=Def|PronType=Art")
STOP = (".", ".", "PUNCT", ".", "_")
PAST = "Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin"
WORKS = [
    (*THE, 2, "det"), ("phone", "phone", "NOUN", "NN", "Number=Sing", 3, "nsubj"),
    ("works", "work", "VERB", "VBZ", "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin", 0, "root"),
    (*STOP, 3, "punct"),
]
WILL = [
    ("Your", "your", "PRON", "PRP$", "Poss=Yes", 2, "nmod:poss"),
    ("parents", "parent", "NOUN", "NNS", "Number=Plur", 4, "nsubj"),
    ("will", "will", "AUX", "MD", "VerbForm=Fin", 4, "aux"),
    ("like", "like", "VERB", "VB", "VerbForm=Inf", 0, "root"), ("it", "it", "PRON", "PRP", "_", 4, "obj"),
    (*STOP, 4, "punct"),
]
RECOMMENDED = [
    (*THE, 2, "det"), ("guide", "guide", "NOUN", "NN", "Number=Sing", 3, "nsubj"),
    ("carried", "carry", "VERB", "VBD", PAST, 0, "root"), ("a", "a", "DET", "DT", "_", 6, "det"),
    ("new", "new", "ADJ", "JJ", "Degree=Pos", 6, "amod"), ("map", "map", "NOUN", "NN", "Number=Sing", 3, "obj"),
    (*STOP, 3, "punct"),
]
PRONOUN = [
    ("She", "she", "PRON", "PRP", "_", 2, "nsubj"), ("carried", "carry", "VERB", "VBD", PAST, 0, "root"),
    ("maps", "map", "NOUN", "NNS", "Number=Plur", 2, "obj"), (*STOP, 2, "punct"),
]


@pytest.fixture(scope="module")
def script():
    return load_script(TOOLS / "questions.py")


@pytest.fixture(scope="module")
def treebank(tmp_path_factory):
    path = tmp_path_factory.mktemp("questions") / "statements.conllu"
    text = ""
    for number, rows in enumerate((WORKS, WILL, RECOMMENDED, PRONOUN)):
        text += f"# sent_id = {number}\n"
        for i, (form, lemma, upos, xpos, feats, head, label) in enumerate(rows, 1):
            misc = "SpaceAfter=No" if i == len(rows) - 1 else "_"
            text += "\t".join((str(i), form, lemma, upos, xpos, feats, str(head), label, "_", misc)) + "\n"
        text += "\n"
    path.write_text(text, encoding="utf-8")
    return path


def test_sentences_and_trees(script, treebank, tmp_path, monkeypatch):
    made = tmp_path / "made.conllu"
    monkeypatch.setattr("sys.argv", ["questions.py", "--composed", str(treebank), str(made)])
    script.main()
    found = {sentence.sent_id: sentence for sentence in gp.read_conllu(made)}
    assert {name: sentence.text for name, sentence in found.items()} == {
        "question-0": "Does the phone work?", "question-1": "Will your parents like it?",
        "question-2": "Did the guide carry a new map?", "which-2": "Which new map did the guide carry?",
        "headline-0": "Phone works", "headline-2": "Guide carries new map",
        "composed-3": "Did the phone carry maps?", "modal-3": "Would the phone carry maps?",
        "short-3": "Phone carries maps",
    }
    assert found["question-0"].heads == [4, 3, 4, 0, 4]
    assert found["question-1"].heads == [4, 3, 4, 0, 4, 4]
    assert found["which-2"].heads == [3, 3, 7, 7, 6, 7, 0, 7]
    assert found["headline-2"].heads == [2, 0, 4, 2]
    assert found["composed-3"].heads == found["modal-3"].heads == [4, 3, 4, 0, 4, 4]
    assert (found["modal-3"][0].xpos, found["short-3"][1].xpos, found["short-3"].heads) == ("MD", "VBZ", [2, 0, 2])
    does, _, _, work, mark = found["question-0"].words
    assert (does.upos, does.xpos, does.deprel, work.xpos, work.feats) == ("AUX", "VBZ", "aux", "VB", "VerbForm=Inf")
    assert (mark.form, work.misc) == ("?", "SpaceAfter=No")
