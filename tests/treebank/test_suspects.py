"""Suspects: cross-validation, ranking, and the reports."""

import csv
import io

import pytest

import gardenpath as gp
from gardenpath.treebank import suspect_report
from gardenpath.treebank.folds import PredictedArc, divide
from gardenpath.treebank.suspects import find_suspects, rank
from gardenpath.treebank.variation import Occurrence, Variation
from sample import TRAIN, small


@pytest.fixture(scope="module")
def spoiled(tmp_path_factory):
    """Write a treebank with two errors: a label and a head that no other sentence has."""
    path = tmp_path_factory.mktemp("suspects") / "spoiled.conllu"
    sentences = list(gp.read_conllu(TRAIN))[:120]
    chosen = {}
    for number in (10, 50):
        word = next(word for word in sentences[number] if word.deprel == "det")
        word.deprel = "vocative"
        chosen[number, word.id] = word
    gp.write_conllu(sentences, path)
    return path, chosen


@pytest.fixture(scope="module")
def found(spoiled):
    return find_suspects(spoiled[0], folds=3, epochs=3)


def test_errors_come_first(spoiled, found):
    assert {(suspect.sentence, suspect.word) for suspect in found.found[:2]} == spoiled[1].keys()
    best = found.found[0]
    assert (best.label, best.predicted_label, best.kind, best.agreeing) == ("vocative", "det", "label", 1)
    assert best.confidence > 0.9
    assert [suspect.score for suspect in found] == sorted((suspect.score for suspect in found), reverse=True)


def test_the_line_is_that_of_the_word(spoiled, found):
    best = found.found[0]
    line = spoiled[0].read_text(encoding="utf-8").splitlines()[found.line(best) - 1]
    assert line.split("\t")[0] == str(best.word)
    assert line.split("\t")[7] == "vocative"


def test_every_word_has_a_tree_of_a_model_that_did_not_see_it(found):
    assert len(found.trees) == 1
    assert [len(tree) for tree in found.trees[0]] == [len(sentence) for sentence in found.sentences]


def test_the_number_of_processes_makes_no_difference(spoiled, found):
    again = find_suspects(spoiled[0], folds=3, epochs=3, workers=2)
    assert again.found == found.found


def test_the_csv(found):
    file = io.StringIO()
    suspect_report.write_csv(found, file, 3)
    rows = list(csv.DictReader(io.StringIO(file.getvalue())))
    assert tuple(rows[0]) == suspect_report.COLUMNS
    assert len(rows) == 3
    assert (rows[0]["rank"], rows[0]["deprel"], rows[0]["predicted_deprel"]) == ("1", "vocative", "det")


def test_the_page_has_both_trees_and_a_filter(found):
    page = suspect_report.to_html(found, 3)
    assert page.count('<section class="item') == 3
    assert page.count("<svg") == 6
    assert "vocative (2)" in page
    assert "<script" not in page
    assert f"{found.sentences[found.found[0].sentence].place.rpartition(':')[0]}:{found.line(found.found[0])}" in page


def test_small_treebanks_have_fewer_folds():
    assert len(divide(400, None, 1)) == 10
    parts = divide(60, None, 1)
    assert len(parts) == 3
    assert sorted(number for part in parts for number in part) == list(range(60))
    assert divide(60, None, 1) == parts != divide(60, None, 2)


def test_a_treebank_may_be_too_small(tmp_path):
    with pytest.raises(gp.UsageError, match="at least 40 sentences, not 30; give a larger treebank"):
        find_suspects(small(tmp_path, 30))
    with pytest.raises(gp.UsageError, match="use 2 to 3 folds"):
        divide(60, 4, 1)


def tree(label="obj", confidence=0.9):
    return [PredictedArc(0, "root", 0.99, 0.99), PredictedArc(1, label, confidence, confidence)]


def treebank(labels):
    return [
        gp.Sentence([gp.Word(1, "see", upos="VERB", head=0, deprel="root"),
                     gp.Word(2, "him", upos="PRON", head=1, deprel=label)])
        for label in labels
    ]


def test_the_confidence_of_the_prediction_decides():
    sentences = treebank(["iobj", "iobj", "obj", "obj"])
    ranked = rank(sentences, [[tree(confidence=0.6), tree(confidence=0.8), tree(), tree()]])
    assert [(suspect.sentence, suspect.word) for suspect in ranked] == [(1, 2), (0, 2)]


def test_several_systems_are_averaged():
    sentences = treebank(["iobj", "iobj", "obj", "obj"])
    certain, split = [tree(confidence=0.8)] * 4, [tree(confidence=0.8), tree("iobj", 0.8), *[tree()] * 2]
    ranked = rank(sentences, [certain, split])
    assert [(suspect.sentence, suspect.agreeing) for suspect in ranked] == [(0, 2), (1, 1)]


def test_a_rare_kind_of_arc_is_more_suspicious():
    sentences = treebank(["iobj", "iobj", "vocative", "obj", "obj"])
    ranked = rank(sentences, [[tree(confidence=0.8)] * 5])
    assert [suspect.sentence for suspect in ranked] == [2, 0, 1]


def test_a_variation_makes_a_word_suspect():
    sentences = treebank(["iobj", "obj", "obj"])
    trees = [[tree("iobj"), tree(), tree()]]
    assert rank(sentences, trees) == []
    variation = Variation(0, 2, 1, "obj", 1, 2, Occurrence(1, 1, 2, (True, "obj")))
    (suspect,) = rank(sentences, trees, [variation])
    assert (suspect.predicted_label, suspect.agreeing, suspect.variation) == ("obj", 0, variation)
