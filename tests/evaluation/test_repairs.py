"""Second thoughts counted once more, from the arcs that the twin has before and after each move."""

from __future__ import annotations

import json
from copy import deepcopy
from functools import cache

import pytest

import gardenpath as gp
from brute import REORDERING, ROOT_FIRST, Mode, twin_of
from gardenpath.errors import InputError
from gardenpath.evaluation.repairs import RepairCounts, count_repairs
from sample import DEV, TRAIN

# What each of them does now and then: it replaces arcs; it only takes back decisions to build none; or nothing of the kind.
REPLACING = ("covington-nm", "arc-eager-unshift", "arc-eager-nml", "arc-eager-nmld")
REPAIRING = ("arc-eager-nmd",)
MONOTONIC = ("covington", "arc-standard")


@cache
def weak(system: str) -> gp.Model:
    """A model that has not learnt much, and changes its mind."""
    return gp.train(TRAIN, tags="gold", system=system, passes=1, features="zhang-nivre", margin=0, min_updates=1)


def recount(model: gp.Model, sentences: list[gp.Sentence]) -> RepairCounts:
    counts = RepairCounts()
    for sentence in sentences:
        counts.sentences += 1
        twin, gold = twin_of(Mode(model.system, model.system in ROOT_FIRST + REORDERING), len(sentence)), set(enumerate(sentence.heads, 1))
        for step in model.trace(sentence, policy=False):
            counts.moves += 1
            counts.repairs += twin.is_repair(step.move)
            before = set(twin.head.items())
            twin.apply(step.move)
            if step.arc is None:
                assert before <= set(twin.head.items())
                continue
            arc, gone = step.arc[::-1], before - set(twin.head.items())
            assert arc in twin.head.items() - before
            counts.arcs += 1
            if gone:
                counts.replacing += 1
                counts.gold += arc in gold
                counts.harmful += arc not in gold and bool(gone & gold)
    return counts


@pytest.mark.parametrize("system", REPLACING + REPAIRING + MONOTONIC)
def test_counts_are_those_of_the_trace(system):
    sentences = list(gp.read_conllu(DEV))
    before = deepcopy([sentence.heads for sentence in sentences])
    counts = count_repairs(weak(system), sentences)
    assert [sentence.heads for sentence in sentences] == before
    assert counts == recount(weak(system), sentences)
    assert (counts.sentences, counts.moves > counts.arcs > 700) == (80, True)
    assert (counts.repairs > 0) is (system not in MONOTONIC)
    assert [getattr(counts, name) > 0 for name in ("replacing", "gold", "harmful")] == [system in REPLACING] * 3
    assert counts.replacing == counts.repairs or system != "covington-nm"       # what is taken back there is an arc


def test_shares_are_of_what_comes_before():
    counts = RepairCounts(sentences=2, moves=50, repairs=10, arcs=40, replacing=8, gold=4, harmful=3)
    assert (counts.replacing_share, counts.gold_share, counts.harmful_share) == (20, 50, 37.5)
    assert json.loads(json.dumps(counts.to_dict())) == {
        "sentences": 2, "moves": 50, "repairs": 10, "arcs": 40, "replacing": 8, "gold": 4, "harmful": 3,
        "replacing_share": 20, "gold_share": 50, "harmful_share": 37.5,
    }
    assert count_repairs(weak("covington-nm"), []) == RepairCounts()
    assert (RepairCounts().replacing_share, RepairCounts().gold_share, RepairCounts().harmful_share) == (0, 0, 0)


def sentence_of(heads, **columns) -> gp.Sentence:
    return gp.Sentence([gp.Word(i, "a", head=head, **{"xpos": "NN"} | columns) for i, head in enumerate(heads, 1)], ["# sent_id = two"], place="gold.conllu:7")


@pytest.mark.parametrize("heads, fault", [
    ([2, None, 2], "word 2 has no head"),
    ([2, 0, 4], "word 3 has head 4"),
    ([0, 3, 2], "words 2 and 3 form a cycle"),
    ([2, 1], "words 1 and 2 form a cycle"),
], ids=str)
def test_gold_must_be_a_tree(heads, fault):
    good = sentence_of([0, 1])
    with pytest.raises(InputError, match=f"^gold.conllu:7: sent_id=two: {fault}.*; "):
        count_repairs(weak("covington-nm"), [good, sentence_of(heads)])


def test_gold_may_have_several_roots_but_must_be_tagged():
    assert count_repairs(weak("covington-nm"), [sentence_of([0, 0, 2])]).sentences == 1
    with pytest.raises(InputError, match="no word has XPOS"):
        count_repairs(weak("covington-nm"), [sentence_of([0, 1], xpos="_")])
