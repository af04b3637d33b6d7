"""The worked examples of the papers, transition by transition: `I saw Jack and Jill fall` and the opposite mistake."""

import pytest

from brute import ROOT_LAST, SINGLE_ROOT, Mode, play, static_path

SAW = [2, 0, 6, 3, 3, 2]                     # I saw Jack and Jill fall
SHORT = [2, 0, 2, 3, 3]                      # I saw Jack and Jill
STATIC = [
    "shift",
    "left-arc",
    "shift",
    "shift",
    "right-arc",
    "reduce",
    "right-arc",
    "reduce",
    "left-arc",
    "right-arc",
    "reduce",
    "left-arc",
    "shift",
]


ARC_EAGER = [*map(Mode, ROOT_LAST + SINGLE_ROOT)]


@pytest.mark.parametrize("mode", ARC_EAGER, ids=str)
def test_the_static_path(mode):
    assert static_path(mode, SAW) == (STATIC if mode.name in ROOT_LAST else STATIC[:11])


def test_the_garden_path():
    oracle, c = play(Mode("arc-eager-nml"), 6, ["shift", "left-arc", "shift"])
    for stack, buffer, move, optimal, training in [
        ([2], [3, 4, 5, 6, 0], "right-arc", ["right-arc", "shift"], ["shift"]),
        ([2, 3], [4, 5, 6, 0], "right-arc", ["right-arc"], ["right-arc"]),
        ([2, 3, 4], [5, 6, 0], "reduce", ["reduce"], ["reduce"]),
        ([2, 3], [5, 6, 0], "right-arc", ["right-arc"], ["right-arc"]),
        ([2, 3, 5], [6, 0], "reduce", ["reduce"], ["reduce"]),
        ([2, 3], [6, 0], "left-arc", ["left-arc"], ["left-arc"]),
    ]:
        assert (c.stack, c.buffer, oracle.loss(c, SAW)) == (stack, buffer, 0)
        assert (oracle.optimal(c, SAW), oracle.training(c, SAW)) == (optimal, training)
        assert oracle.system.is_repair(c, move) is (move == "left-arc")
        oracle.system.apply(c, move)
    for move in ("right-arc", "reduce", "left-arc", "shift"):
        assert oracle.training(c, SAW) == [move]
        oracle.system.apply(c, move)
    assert oracle.system.is_final(c)
    assert c.heads == SAW


def test_the_garden_path_has_no_way_back_in_plain_arc_eager():
    oracle, c = play(
        Mode("arc-eager"), 6, ["shift", "left-arc", "shift", "right-arc", "right-arc", "reduce", "right-arc", "reduce"]
    )
    assert (c.stack, c.buffer) == ([2, 3], [6, 0])
    assert oracle.loss(c, SAW) == 1
    assert oracle.costs(c, SAW) == {"reduce": 0, "shift": 1, "right-arc": 1}


MISTAKE = ["shift", "left-arc", "shift", "shift", "right-arc", "reduce", "right-arc", "reduce"]


@pytest.mark.parametrize("name", ["arc-eager-nmd", "arc-eager-nmld"])
def test_a_reduce_attaches_with_the_label_remembered_at_the_shift(name):
    oracle, c = play(Mode(name), 5, MISTAKE[:3])
    c.remember(3, "obj")
    for move in MISTAKE[3:]:
        oracle.system.apply(c, move, "conj" if move == "right-arc" else None)
    assert (c.stack, c.buffer, c.heads, oracle.loss(c, SHORT)) == ([2, 3], [0], [2, -1, -1, 3, 3], 0)
    assert oracle.training(c, SHORT) == ["reduce"]
    assert oracle.system.is_repair(c, "reduce")
    oracle.system.apply(c, "reduce")
    assert (c.heads[2], c.labels[2:]) == (2, ["obj", "conj", "conj"])
    for move in ("left-arc", "shift"):
        assert oracle.training(c, SHORT) == [move]
        oracle.system.apply(c, move, "root")
    assert (c.heads, c.labels[1:3], oracle.system.is_final(c)) == (SHORT, ["root", "obj"], True)


def test_a_labelled_reduce_has_its_own_label():
    oracle, c = play(Mode("arc-eager-nmd"), 5, MISTAKE)
    c.remember(3, "obj")
    oracle.system.apply(c, "reduce", "iobj")
    assert c.labels[2] == "iobj"


@pytest.mark.parametrize("name", ["arc-eager-tree", "arc-eager-unshift"])
def test_unshift_gives_the_word_a_second_chance(name):
    oracle, c = play(Mode(name), 5, MISTAKE)
    assert (c.stack, c.buffer, oracle.loss(c, SHORT)) == ([2, 3], [], 0)
    for move in ("unshift", "right-arc", "reduce"):
        assert oracle.training(c, SHORT) == [move]
        oracle.system.apply(c, move)
    assert (c.stack, c.heads, oracle.system.is_final(c)) == ([2], SHORT, True)


def test_unshift_may_come_earlier_too():
    oracle, c = play(Mode("arc-eager-unshift"), 5, MISTAKE[:4])
    assert (c.stack, c.buffer) == ([2, 3], [4, 5])
    assert oracle.training(c, SHORT) == ["right-arc", "unshift"]


def test_shift_loses_nothing_but_is_not_learnt_from():
    oracle, c = play(Mode("arc-eager-unshift"), 5, MISTAKE[:3])
    assert (c.stack, c.buffer[0]) == ([2], 3)
    assert oracle.optimal(c, SHORT) == ["right-arc", "shift"]
    assert oracle.training(c, SHORT) == ["right-arc"]


def test_arcs_compete_in_the_end_phase_of_the_tree_system():
    oracle, c = play(Mode("arc-eager-tree"), 3, ["shift", "shift", "shift"])
    assert oracle.loss(c, [0, 1, 1]) == 1
    assert [oracle.loss(c, gold) for gold in ([0, 1, 2], [0, 3, 1])] == [0, 0]
