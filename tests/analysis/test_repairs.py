"""Repairs on whole sentences: weak models compared with a slow twin, and the examples of the papers by hand."""

from __future__ import annotations

import json
from collections import Counter
from copy import deepcopy
from functools import cache
from types import SimpleNamespace

import pytest
from slow_repairs import reanalyse, recount

import gardenpath as gp
from gardenpath.analysis.repairs import LabelChange, Outcomes, RepairCounts, analyse_repairs, count_repairs
from gardenpath.errors import InputError
from gardenpath.parsing.trace import TraceStep
from sample import DEV, TRAIN

# Systems that replace arcs, that only undo decisions not to build one, and that do neither.
REPLACING = ("covington-nm", "arc-eager-unshift", "arc-eager-nml", "arc-eager-nmld")
REPAIRING = ("arc-eager-nmd",)
MONOTONIC = ("covington", "arc-standard")


@cache
def weak(system: str) -> gp.Model:
    """Train a weak model that makes many repairs."""
    return gp.train(TRAIN, tags="gold", system=system, epochs=1, features="zhang-nivre", margin=0, min_updates=1)


@pytest.mark.parametrize("system", REPLACING + REPAIRING + MONOTONIC)
def test_counts_equal_a_recount_of_the_trace(system):
    sentences = list(gp.read_conllu(DEV))
    before = deepcopy([sentence.heads for sentence in sentences])
    counts = count_repairs(weak(system), sentences)
    assert [sentence.heads for sentence in sentences] == before
    assert counts == recount(weak(system), sentences)
    assert (counts.sentences, counts.moves > counts.arcs > 700) == (80, True)
    assert (counts.repairs > 0) is (system not in MONOTONIC)
    assert [getattr(counts, name) > 0 for name in ("replacing", "gold", "harmful")] == [system in REPLACING] * 3
    assert counts.replacing == counts.repairs or system != "covington-nm"       # each repair there removes an arc


def test_shares():
    counts = RepairCounts(sentences=2, moves=50, repairs=10, arcs=40, replacing=8, gold=4, harmful=3)
    assert (counts.replacing_share, counts.gold_share, counts.harmful_share) == (20, 50, 37.5)
    assert json.loads(json.dumps(counts.to_dict())) == {
        "sentences": 2, "moves": 50, "repairs": 10, "arcs": 40, "replacing": 8, "gold": 4, "harmful": 3,
        "replacing_share": 20, "gold_share": 50, "harmful_share": 37.5,
    }
    assert count_repairs(weak("covington-nm"), []) == RepairCounts()
    assert (RepairCounts().replacing_share, RepairCounts().gold_share, RepairCounts().harmful_share) == (0, 0, 0)


def sentence_of(heads, **columns) -> gp.Sentence:
    return gp.Sentence(
        [gp.Word(i, "a", head=head, **{"xpos": "NN"} | columns) for i, head in enumerate(heads, 1)],
        ["# sent_id = two"],
        place="gold.conllu:7",
    )


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


@pytest.mark.parametrize("punctuation", [True, False], ids=["all", "no punctuation"])
@pytest.mark.parametrize("system", REPLACING + REPAIRING + MONOTONIC + ("arc-eager-tree",))
def test_the_analysis_equals_a_reanalysis_of_the_trace(system, punctuation):
    sentences = list(gp.read_conllu(DEV))
    before = deepcopy(sentences)
    result = analyse_repairs(weak(system), sentences, punctuation)
    kinds, labels, gain = reanalyse(weak(system), sentences, punctuation)
    assert [sentence.to_conllu() for sentence in sentences] == [sentence.to_conllu() for sentence in before]
    assert result.counts == count_repairs(weak(system), sentences)
    assert {
        kind: Counter(outcomes.to_dict()) for kind, outcomes in result.kinds.items()
    } == kinds  # a missing key of a Counter counts as 0
    assert result.gain == gain
    changes = Counter()
    for (old, new, is_right, is_right_label), count in labels.items():
        changes[old, new, "count"] += count
        changes[old, new, "head_right"] += count * is_right
        changes[old, new, "label_right"] += count * is_right_label
    assert {
        (change.old, change.new, name): getattr(change, name)
        for change in result.labels
        for name in ("count", "head_right", "label_right")
    } == changes
    assert [change.count for change in result.labels] == sorted(
        (change.count for change in result.labels), reverse=True
    )
    made = result.total.true_positive + result.total.false_positive + result.total.even
    # With Unshift, the repair may be the only valid transition, which is no opportunity.
    assert made == result.counts.repairs or not punctuation or system in ("arc-eager-unshift", "arc-eager-tree")
    assert (made > 0) is (system in REPLACING + REPAIRING)


def test_a_result_as_plain_values():
    sentences = list(gp.read_conllu(DEV))
    result = analyse_repairs(weak("arc-eager-nmld"), sentences)
    values = json.loads(json.dumps(result.to_dict()))
    assert values["counts"] == result.counts.to_dict()
    assert list(values["kinds"]) == ["left-arc", "reduce"]
    assert values["total"] == {
        name: sum(kind[name] for kind in values["kinds"].values()) for name in Outcomes().to_dict()
    }
    assert (values["precision"], values["recall"]) == (result.total.precision, result.total.recall)
    assert values["labels"][0].keys() == {"old", "new", "count", "head_right", "label_right"}
    assert (values["gain"], values["oracle"]) == (result.gain, "dynamic; repair-last")
    assert values["conditions"] == (
        "Transitions of the parser, before the single-root policy; greedy search; tags as given; punctuation counted; "
        "label subtypes compared; "
        f"gold trees lifted: {sum(not gp.trees.is_projective(sentence.heads) for sentence in sentences)}; sentences: "
        f"80; words: {sum(map(len, sentences))}."
    )
    left_out = analyse_repairs(weak("covington-nm"), sentences[:3], punctuation=False)
    assert left_out.oracle == "pc-upper, a bound of the loss; repair-last"
    assert "repairs of punctuation (gold UPOS PUNCT) left out; " in left_out.conditions


def test_a_system_without_repairs_has_counts_only():
    values = analyse_repairs(weak("covington"), gp.read_conllu(DEV)).to_dict()
    assert values["counts"] == count_repairs(weak("covington"), gp.read_conllu(DEV)).to_dict()
    assert [values[name] for name in ("kinds", "total", "labels", "gain", "oracle")] == [
        {}, Outcomes().to_dict(), [], 0, "none: covington has no repairs",
    ]


def test_an_unshift_without_alternative_is_no_opportunity():
    model = gp.train(TRAIN, tags="gold", system="stay-eager", epochs=1)
    result = analyse_repairs(model, gp.read_conllu(DEV))
    assert (result.kinds, result.labels, result.gain) == ({"unshift": Outcomes()}, [], 0)


# ---- by hand ----

class Script:
    """A stand-in for a model whose parser makes these transitions; `left-arc:nsubj` has a label."""

    def __init__(self, system: str, moves: str, nonprojective: str = "lift") -> None:
        self.parser = SimpleNamespace(system=gp.systems.get(system), nonprojective=nonprojective, width=1)
        self.moves = [move.partition(":")[::2] for move in moves.split()]

    def trace(self, sentence, policy):
        system, c = self.parser.system, self.parser.system.initial(len(sentence))
        for move, label in self.moves:
            before, is_repair = c.copy(), system.is_repair(c, move)
            system.apply(c, move, label or None)
            arcs = [
                (new, word)
                for word, (old, new) in enumerate(zip(before.heads, c.heads, strict=True), 1)
                if new not in (old, -1)
            ]
            yield TraceStep(before, move, label or None, arcs[0] if arcs else None, is_repair)


def gold_sentence(*words: str) -> gp.Sentence:
    """Return a sentence of words given as `head:deprel` or `head:deprel:upos`."""
    columns = [[*word.split(":"), "X"][:3] for word in words]
    return gp.Sentence(
        [gp.Word(i, "a", upos=upos, head=int(head), deprel=deprel) for i, (head, deprel, upos) in enumerate(columns, 1)]
    )


SAW = gold_sentence("2:nsubj", "0:root", "6:nsubj", "3:cc", "3:conj", "2:ccomp")        # I saw Jack and Jill fall
SHORT = gold_sentence("2:nsubj", "0:root", "2:obj", "3:cc", "3:conj")                    # I saw Jack and Jill
GARDEN_PATH = "shift left-arc:nsubj shift right-arc:obj right-arc:cc reduce right-arc:conj reduce"
OPPOSITE = "shift left-arc:nsubj shift shift right-arc:cc reduce right-arc:conj reduce"


def test_left_arc_in_the_example_of_the_paper():
    """`Jack` is attached as the object of `saw`. The parser corrects it to the subject of `fall`, or does not."""
    seen = analyse_repairs(
        Script("arc-eager-nml", f"{GARDEN_PATH} left-arc:nsubj right-arc:ccomp reduce left-arc:root shift"), [SAW]
    )
    assert (seen.kinds["left-arc"].true_positive, seen.kinds["left-arc"].false_negative, seen.gain) == (1, 0, 1)
    assert seen.labels == [LabelChange("obj", "nsubj", 1, 1, 1)]
    missed = analyse_repairs(
        Script("arc-eager-nml", f"{GARDEN_PATH} reduce right-arc:ccomp reduce left-arc:root shift"), [SAW]
    )
    assert (
        missed.kinds["left-arc"].true_positive,
        missed.kinds["left-arc"].false_negative,
        missed.gain,
        missed.labels,
    ) == (0, 1, 0, [])
    # Left-Arc is valid while `and` and `Jill` are read and after the repair, and correctly not made.
    assert seen.kinds["left-arc"] == Outcomes(true_positive=1, true_negative=5)
    assert missed.kinds["left-arc"] == Outcomes(false_negative=1, true_negative=5)


@pytest.mark.parametrize("system", ["arc-eager-nmd", "arc-eager-nmld"])
def test_reduce_in_the_example_of_the_paper(system):
    """`Jack` has no head. Reduce attaches it, with the wrong label; or it becomes a root."""
    seen = analyse_repairs(Script(system, f"{OPPOSITE} reduce:iobj left-arc:root shift"), [SHORT])
    assert (seen.kinds["reduce"], seen.gain) == (Outcomes(true_positive=1, true_negative=2), 1)
    assert seen.labels == [LabelChange(None, "iobj", 1, 1, 0)]
    missed = analyse_repairs(Script(system, f"{OPPOSITE} left-arc:root left-arc:root shift"), [SHORT])
    assert (missed.kinds["reduce"], missed.gain, missed.labels) == (Outcomes(false_negative=1, true_negative=2), 0, [])


def test_an_unshift_is_right_if_it_recovers_an_arc():
    early = "shift left-arc:nsubj shift shift unshift right-arc:obj right-arc:cc reduce right-arc:conj reduce reduce"
    assert analyse_repairs(Script("arc-eager-unshift", early), [SHORT]).kinds["unshift"] == Outcomes(true_positive=1)
    idle = "shift left-arc:nsubj shift shift unshift"
    assert analyse_repairs(Script("arc-eager-unshift", idle), [SAW]).kinds["unshift"] == Outcomes(even=1)


def test_harmful_and_useless_repairs():
    """One repair removes a gold arc; another replaces a wrong arc by a wrong one."""
    harmful = "shift right-arc:obj left-arc:nsubj right-arc:obj reduce left-arc:root shift"
    assert analyse_repairs(Script("arc-eager-nml", harmful), [gold_sentence("0:root", "1:obj", "1:obl")]).gain == -1
    result = analyse_repairs(
        Script("arc-eager-nml", harmful),
        [gold_sentence("0:root", "1:obj", "1:obl"), gold_sentence("2:det", "0:root", "2:obj")],
    )
    assert result.kinds["left-arc"] == Outcomes(false_positive=2, true_negative=2)
    assert (result.gain, result.labels) == (-1, [LabelChange("obj", "nsubj", 2, 0, 0)])


def test_the_arc_removed_to_break_a_cycle_counts():
    """1 -> 2 -> 3, then 3 -> 1: word 3 loses its head and becomes the gold root."""
    moves = "shift right-arc:a shift right-arc:b left-arc:c shift"
    result = analyse_repairs(Script("covington-nm", moves), [gold_sentence("3:c", "1:a", "0:root")])
    assert (result.kinds["left-arc"].true_positive, result.gain, result.labels) == (
        1,
        2,
        [LabelChange(None, "c", 1, 1, 1)],
    )
    result = analyse_repairs(Script("covington-nm", moves), [gold_sentence("0:root", "1:a", "2:b")])
    assert (result.kinds["left-arc"].false_positive, result.gain, result.labels) == (
        1,
        -2,
        [LabelChange(None, "c", 1, 0, 0)],
    )


def test_repairs_of_punctuation_are_left_out():
    moves = f"{GARDEN_PATH} left-arc:nsubj right-arc:ccomp reduce left-arc:root shift"
    sentence = deepcopy(SAW)
    sentence.words[2].upos = "PUNCT"  # as if Jack were punctuation
    everything, rest = (
        analyse_repairs(Script("arc-eager-nml", moves), [sentence], punctuation) for punctuation in (True, False)
    )
    assert everything.kinds["left-arc"] == Outcomes(true_positive=1, true_negative=5)
    assert (rest.kinds["left-arc"], rest.labels, rest.gain) == (Outcomes(true_negative=3), [], 0)
    assert rest.counts == everything.counts
    short = deepcopy(SHORT)
    short.words[2].upos = "PUNCT"
    unshift = "shift left-arc:nsubj shift shift unshift right-arc:obj right-arc:cc reduce right-arc:conj reduce reduce"
    assert (
        analyse_repairs(Script("arc-eager-unshift", unshift), [short], punctuation=False).kinds["unshift"] == Outcomes()
    )


@pytest.mark.parametrize(
    "nonprojective, label, is_right",
    [("lift", "amod", 1), ("head", "amod↑obj", 1), ("head", "amod", 0), ("skip", "amod", 1)],
)
def test_a_tree_that_cannot_be_built_is_lifted_as_for_training(nonprojective, label, is_right):
    """4 -> 2 crosses 3 -> 1 and is lifted to 3 -> 2."""
    moves = f"shift right-arc:dep left-arc:{label} left-arc:nsubj shift right-arc:obj reduce left-arc:root shift"
    result = analyse_repairs(
        Script("arc-eager-nml", moves, nonprojective), [gold_sentence("3:nsubj", "4:amod", "0:root", "3:obj")]
    )
    assert (result.kinds["left-arc"].true_positive, result.gain) == (1, 1)
    assert result.labels == [LabelChange("dep", label, 1, 1, is_right)]
    assert (result.counts.replacing, result.counts.gold) == (1, 0)                       # counted by the original tree
    assert "gold trees lifted: 1; " in result.conditions


def test_the_analysis_needs_trees():
    with pytest.raises(InputError, match=r"^gold.conllu:7: sent_id=two: word 2 has no head; "):
        analyse_repairs(weak("covington-nm"), [sentence_of([2, None, 2])])
    assert analyse_repairs(weak("covington-nm"), []).counts == RepairCounts()
