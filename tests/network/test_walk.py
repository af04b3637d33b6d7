"""The training walk records what a slow implementation finds in the same configurations."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import ClassVar

import numpy as np
import pytest
from slow_walk import SlowWalk

import gardenpath as gp
from brute import random_projective_tree, random_tree
from gardenpath import oracles, systems
from gardenpath.errors import UsageError
from gardenpath.network.walk import GivenScorer, NetworkWalk
from gardenpath.parsing.parser import Parser
from gardenpath.systems.classes import Classes
from gardenpath.systems.python import PythonSystem

LABELS = ("nsubj", "obj", "det", "aux")
HIDDEN = 16
EXPLORING = [
    (name, kind) for name in systems.names() for kind in oracles.kinds(name)
    if kind in oracles.class_of(name, kind).exploring_kinds
]
FIXED = [
    (name, kind) for name in systems.names() for kind in oracles.kinds(name)
    if kind in oracles.class_of(name, kind).fixed_kinds and kind != "non-static"     # which draws random numbers
]


class Walked:
    """A walk through random trees with random layers."""

    def __init__(self, name, kind, seed=1, sentences=8, longest=9):
        rng = random.Random(seed)
        self.system = systems.for_parsing(name, single_root=True)
        self.oracle = oracles.of(self.system, kind)
        self.trees = []
        while len(self.trees) < sentences:
            tree = rng.choice([random_projective_tree, random_tree])(rng, rng.randint(1, longest))
            if self.oracle.derives(tree):
                self.trees.append((tree, ["root" if head == 0 else rng.choice(LABELS) for head in tree]))
        self.words = [[gp.Word(i, "x") for i in range(1, len(heads) + 1)] for heads, _ in self.trees]
        self.classes = Classes.of_trees(self.system, self.trees)
        self.scorer = GivenScorer(self.system, self.classes, HIDDEN)
        self.random = np.random.default_rng(seed)
        self.scorer.set_parameters(*map(self.draw, self.shapes()))
        self.walk = NetworkWalk(self.scorer, self.oracle, self.words, self.trees, labels_all_arcs=True)
        self.slow = SlowWalk(self.system, self.oracle, self.classes)
        self.seen = []

    def shapes(self):
        rows = self.scorer.slots * (len(self.classes.labels) + 1)
        return (rows, HIDDEN), (HIDDEN,), (HIDDEN, self.scorer.columns), (self.scorer.columns,)

    def draw(self, shape):
        return self.random.normal(0, 1, shape).astype(np.float32)

    def table(self, order):
        rows = 2 + sum(len(self.words[number]) for number in order)
        return self.draw((rows, self.scorer.slots * HIDDEN))

    def record(self, order, explore, table=None):
        """Walk, and remember the configurations that were visited."""
        self.seen = []
        self.walk.reseed(7)
        given = self.table(order) if table is None else table
        return self.walk.record(order, given, explore, lambda c, heads: self.seen.append((c, heads)))

    def decisions(self, order):
        """Return the visited configurations that needed a score, each with the number of its sentence."""
        found, sentence = [], iter(order)
        for c, heads in self.seen:
            if c.key() == self.system.initial(len(c)).key() and not any(label for label in c.labels):
                number = next(sentence)
            assert heads == self.trees[number][0]
            if not self.slow.is_forced(c):
                found.append((c, number))
        return found

    def check(self, order, records):
        words, labels, decisions, marks = records
        first_rows = dict(zip(order, 2 + np.cumsum([0, *(len(self.words[i]) for i in order)]), strict=False))
        names, slots = [None, *self.classes.labels], range(self.scorer.slots)
        expected = [
            (number, row, sentence)
            for number, (c, sentence) in enumerate(self.decisions(order))
            for row in self.sorted_rows(self.slow.rows(c, *self.trees[sentence]))
        ]
        assert [number for number, *_ in expected] == decisions.tolist()
        actual = self.sorted_by_decision(words, labels, decisions, marks)
        for (_, (own_words, own_labels, own_marks), sentence), found in zip(expected, actual, strict=True):
            rows = [0 if word is None else 1 if word == 0 else first_rows[sentence] + word - 1 for word in own_words]
            assert rows == found[0]
            assert [slot * len(names) + names.index(own_labels[slot]) for slot in slots] == found[1]
            assert own_marks == found[2][: self.classes.size]
            assert not any(found[2][self.classes.size :])

    @staticmethod
    def sorted_rows(rows):
        """The first row stays first; rows of deep transitions can have any order."""
        return [rows[0], *sorted(rows[1:], key=lambda row: row[2])]

    @staticmethod
    def sorted_by_decision(words, labels, decisions, marks):
        found = []
        for number in range(decisions[-1] + 1 if len(decisions) else 0):
            rows = [
                (words[row].tolist(), labels[row].tolist(), marks[row].tolist())
                for row in np.flatnonzero(decisions == number)
            ]
            found += Walked.sorted_rows(rows)
        return found


@pytest.mark.parametrize("name, kind", [*EXPLORING, *FIXED])
def test_records_equal_the_slow_ones_on_the_gold_path(name, kind):
    walked = Walked(name, kind)
    order = [3, 0, 5, 6]
    records = walked.record(order, 0.0)
    walked.check(order, records)
    assert (records[3] == 2).any(1).sum() >= records[2][-1] + 1


@pytest.mark.parametrize("name, kind", EXPLORING)
def test_records_equal_the_slow_ones_after_errors(name, kind):
    for seed in (1, 2):
        walked = Walked(name, kind, seed)
        order = [*range(len(walked.trees))][::-1]
        walked.check(order, walked.record(order, 1.0))


def test_deep_transitions_have_rows_of_their_own():
    walked = Walked("lr-spine", "dynamic", longest=14)
    _, _, decisions, marks = walked.record([*range(8)], 1.0)
    counts = np.bincount(decisions)
    assert counts.max() > 3
    assert counts.min() == 1
    for row in np.flatnonzero(np.diff(decisions, prepend=-1) == 0):       # not the first row of its decision
        assert marks[row].any()


@pytest.mark.parametrize("name, kind", [*EXPLORING, *FIXED])
def test_without_exploration_the_walk_ends_in_the_gold_tree(name, kind):
    walked = Walked(name, kind)
    for number, (heads, labels) in enumerate(walked.trees):
        walked.record([number], 0.0)
        last, _ = walked.seen[-1]
        wrong = [
            word for word, head in enumerate(last.heads, 1)
            if head != -1 and name != "covington-nm" and head != heads[word - 1]
        ]
        assert not wrong or walked.system.repairing, (last, heads)
        for c, gold in walked.seen:
            assert walked.oracle.loss(c, gold) == 0 or kind in oracles.bounds(name) or name in ("swap", "stay-eager")
        for word, head in enumerate(last.heads, 1):
            if head == heads[word - 1]:
                assert last.labels[word - 1] in (labels[word - 1], None) or head == 0


def test_the_accuracy_counts_correct_decisions():
    walked = Walked("arc-eager", "dynamic")
    order = [*range(8)]
    *_, decisions, marks = walked.record(order, 0.0)
    correct, count = walked.walk.accuracy
    assert count == decisions[-1] + 1 == len(marks)
    assert 0 < correct < count
    layers = [np.zeros(shape, np.float32) for shape in walked.shapes()]
    for wanted in range(walked.classes.size):                # a network that prefers one class everywhere
        layers[3][:] = 0
        layers[3][wanted] = 9
        walked.scorer.set_parameters(*layers)
        *_, marks = walked.record(order, 0.0)
        chosen = marks[marks[:, wanted] > 0]
        correct, count = walked.walk.accuracy
        assert correct >= (chosen[:, wanted] == 2).sum()
        assert count - correct >= (chosen[:, wanted] == 1).sum()


def test_the_seed_decides_the_exploration():
    walked = Walked("arc-eager", "dynamic")
    order = [*range(8)]
    table = walked.table(order)
    first, second = (walked.record(order, 0.5, table) for _ in range(2))
    assert all(np.array_equal(*pair) for pair in zip(first, second, strict=True))
    walked.walk.reseed(8)
    other = walked.walk.record(order, table, 0.5)
    assert not all(a.shape == b.shape and np.array_equal(a, b) for a, b in zip(first, other, strict=True))


def test_words_of_one_word_sentences_may_need_no_decision():
    walked = Walked("arc-standard", "static", longest=1)
    records = walked.record([0, 1], 0.0)
    assert all(len(array) == 0 for array in records)
    assert records[0].shape == (0, walked.scorer.slots)
    assert records[3].shape == (0, walked.scorer.columns)


def test_tables_and_numbers_that_do_not_fit_are_refused():
    walked = Walked("arc-eager", "dynamic")
    table = walked.table([0, 1])
    for wrong, message in ((table[:-1], "rows"), (table[:, :-1], "columns"), (table[:, :0], "columns")):
        with pytest.raises(UsageError, match=message):
            walked.record([0, 1], 0.0, np.ascontiguousarray(wrong))
    for order in ([0, 8], [-1], [10**6]):
        with pytest.raises(UsageError, match="numbered from 0 to 7"):
            walked.record(order, 0.0, table)


@pytest.mark.parametrize("changed", range(4))
def test_layers_that_do_not_fit_are_refused(changed):
    walked = Walked("arc-eager", "dynamic")
    shapes = [list(shape) for shape in walked.shapes()]
    shapes[changed][-1] -= 1
    with pytest.raises(UsageError, match="shapes"):
        walked.scorer.set_parameters(*map(walked.draw, shapes))


@pytest.mark.parametrize("size", [0, 8, 17, -16])
def test_sizes_of_the_hidden_layer_are_checked(size):
    walked = Walked("arc-eager", "dynamic")
    with pytest.raises(UsageError, match="multiple of 16"):
        GivenScorer(walked.system, walked.classes, size)


class OnStack(PythonSystem):
    """A system whose arcs connect words on the stack."""

    name = "on-stack"
    transitions: ClassVar = {"shift": None, "left-arc": ("S0", "S1"), "right-arc": ("S1", "S0")}
    pair = ("S1", "S0")


def test_slots_of_python_systems():
    classes = Walked("arc-eager", "dynamic").classes.inventories
    assert OnStack().slots == systems.get("arc-standard").slots
    declared = type("Declared", (OnStack,), {"slots": ("S0", "S1l", "N0h2", "S0r'", "N1l2")})()
    assert GivenScorer(declared, Classes(declared, classes), HIDDEN).slots == 5
    for wrong, problem in (
        ((), "no slots"), (("S0", "X1"), "'X1' is not the address"), (("S",), "'S' is not"), (("S0z",), "'S0z' is not"),
        ((3,), "3 is not"), (("S0 ",), "'S0 ' is not"), (tuple(f"S{i}{step}" for i in range(10) for step in (
            "", "l", "r", "h", "lh", "rh", "l2", "r2")), "more than 64 different word addresses"),
    ):
        system = type("Wrong", (OnStack,), {"slots": wrong})()
        with pytest.raises(UsageError, match=problem):
            GivenScorer(system, Classes(system, classes), HIDDEN)


def test_a_scorer_without_parameters_or_products_cannot_be_used():
    walked = Walked("arc-eager", "dynamic")
    with pytest.raises(UsageError, match="no products or no layers"):
        Parser(walked.scorer, True).parse(walked.words)
    with pytest.raises(UsageError, match="no products or no layers"):
        walked.walk.train([0], 0.0)
    empty = GivenScorer(walked.system, walked.classes, HIDDEN, lambda sentences: walked.table([0]))
    with pytest.raises(UsageError, match="no products or no layers"):
        Parser(empty, True).parse(walked.words[:1])
    small = GivenScorer(walked.system, walked.classes, HIDDEN, lambda sentences: walked.table([0])[:-1].copy())
    with pytest.raises(UsageError, match="rows"):
        Parser(small, True).parse(walked.words[:1])


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 3e38])
def test_scores_are_numbers_whatever_the_parameters_are(value):
    """Training can diverge. It must not crash then."""
    walked = Walked("arc-eager-nmd", "dynamic")
    layers = [*map(walked.draw, walked.shapes())]
    layers[2][:] = value
    walked.scorer.set_parameters(*layers)
    walked.check([0, 1], walked.record([0, 1], 1.0))
    walked.scorer.set_parameters(*map(walked.draw, walked.shapes()))
    walked.check([0, 1], walked.record([0, 1], 1.0, np.full_like(walked.table([0, 1]), value)))


@pytest.mark.parametrize("name", ["swap", "stay-eager"])
def test_long_walks_of_systems_that_reorder_words_follow_the_oracle_in_the_end(name):
    walked, late, strayed = Walked(name, "dynamic", longest=30), 0, 0
    for number, (heads, _) in enumerate(walked.trees):
        walked.record([number], 1.0)
        scored = 0
        for (c, _), (following, _) in pairwise(walked.seen):
            if not walked.slow.is_forced(c):
                scored += 1
                moves = walked.oracle.training(c, heads)
                good = following.key() in [after(walked.system, c, move) for move in moves]
                assert good or scored <= 4 * (len(heads) + 1) + 1
                late += scored > 4 * (len(heads) + 1) + 1
                strayed += not good
    assert strayed
    assert late or name == "swap"            # which seldom needs that many decisions


def after(system, c, move):
    changed = c.copy()
    system.apply(changed, move)
    return changed.key()
