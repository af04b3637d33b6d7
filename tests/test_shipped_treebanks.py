"""Tests of the script that prepares the treebanks of the shipped models."""

import subprocess
import sys
from pathlib import Path

import gardenpath as gp
from gardenpath.treebank.credits import read_credits
from small_treebanks import folder_of

SCRIPT = Path(__file__).parents[1] / "tools" / "shipped_treebanks.py"


def prepared(tmp_path, code, **options):
    source, target = folder_of(tmp_path / "source", code, **options), tmp_path / "target"
    subprocess.run([sys.executable, str(SCRIPT), str(source), str(target)], check=True)
    return source, target


def ids_in(path):
    return [sentence.sent_id for sentence in gp.read_conllu(path)]


def test_every_tenth_sentence_becomes_the_dev_set(tmp_path):
    source, target = prepared(tmp_path, "id_csui", parts=("train", "test"))
    before = ids_in(source / "id_csui-ud-train.conllu")
    assert ids_in(target / "id_csui-ud-dev.conllu") == before[9::10]
    assert ids_in(target / "id_csui-ud-train.conllu") == [each for each in before if each not in before[9::10]]
    assert (target / "id_csui-ud-test.conllu").read_bytes() == (source / "id_csui-ud-test.conllu").read_bytes()


def test_the_xpos_of_bosque_is_left_out(tmp_path):
    source, target = prepared(tmp_path, "pt_bosque")
    before, after = (list(gp.read_conllu(each / "pt_bosque-ud-train.conllu")) for each in (source, target))
    assert any(word.xpos != "_" for sentence in before for word in sentence)
    assert all(word.xpos == "_" for sentence in after for word in sentence)
    assert [sentence.heads for sentence in after] == [sentence.heads for sentence in before]


def test_the_citation_is_added_and_other_treebanks_are_copied(tmp_path):
    source, target = prepared(tmp_path, "fr_sequoia")
    assert read_credits(target).citation.startswith("Marie Candito and Djamé Seddah. 2012.")
    for path in source.glob("*.conllu"):
        assert (target / path.name).read_bytes() == path.read_bytes()
