"""Arc-standard, LR-spine and Attardi's parser: worked examples, and places where the papers are wrong or misleading."""

import pytest

import gardenpath as gp
from brute import (
    Mode,
    after,
    all_trees,
    derivable,
    final_trees,
    future_losses,
    oracle_of,
    play,
    projective_trees,
    reachable,
    static_path,
    twin_of,
)
from gardenpath.errors import UsageError

SAW = [2, 0, 6, 3, 3, 2]                    # I saw Jack and Jill fall
CROSSING = [2, 0, 2, 1, 2]                  # 1 -> 4 crosses 2 -> 5
STANDARD, SPINE, ATTARDI = Mode("arc-standard"), Mode("lr-spine"), Mode("attardi")
SINGLE_STANDARD, SINGLE_SPINE, SINGLE_ATTARDI = (
    Mode("arc-standard", True),
    Mode("lr-spine", True),
    Mode("attardi", True),
)


def modes(*several):
    return pytest.mark.parametrize("mode", several, ids=str)


def moves(text):
    """`shift*3 left-arc` as a list."""
    return [name for word in text.split() for name, _, times in [word.partition("*")] for _ in range(int(times or 1))]


def losses(mode, text, golds):
    """Return the loss after these transitions for each tree; the dynamic oracle and the search agree."""
    oracle, c = play(mode, len(golds[0]), moves(text))
    found = [oracle.loss(c, gold) for gold in golds]
    assert found == [oracle_of(mode, "exact").loss(c, gold) for gold in golds]
    return found


# Arc-standard.


@modes(STANDARD, SINGLE_STANDARD)
def test_arc_standard_step_by_step(mode):
    path = moves("shift*3 left-arc shift*2 right-arc shift right-arc shift left-arc right-arc*2")
    assert static_path(mode, SAW) == path
    for done, stack, buffer, optimal in [
        (0, [], [0, 1, 2, 3, 4, 5, 6], ["shift"]),
        (3, [0, 1, 2], [3, 4, 5, 6], ["left-arc", "shift"]),        # 2 has a gold dependent, 6
        (4, [0, 2], [3, 4, 5, 6], ["shift"]),
        (5, [0, 2, 3], [4, 5, 6], ["shift"]),
    ]:
        oracle, c = play(mode, 6, path[:done])
        assert (c.stack, c.buffer, oracle.loss(c, SAW)) == (stack, buffer, 0)
        assert oracle.optimal(c, SAW) == oracle_of(mode, "nondet").training(c, SAW) == optimal
    oracle, c = play(mode, 6, path[:5])
    assert oracle.costs(c, SAW)["right-arc"] == 3
    oracle.system.apply(c, "right-arc")
    assert (c.stack, c.buffer, c.heads, oracle.loss(c, SAW)) == ([0, 2], [4, 5, 6], [2, -1, 2, -1, -1, -1], 3)


@modes(STANDARD, SINGLE_STANDARD, SPINE, SINGLE_SPINE)
def test_two_arcs_that_can_be_had_and_not_both(mode):
    suffix = ":1" if mode.name == "lr-spine" else ""
    assert losses(mode, "shift*4", [[0, 1, 1], [0, 1, 2], [0, 3, 1]]) == [1, 0, 0]
    oracle, c = play(mode, 3, ["shift"] * 4)
    assert oracle.costs(c, [0, 1, 1]) == {f"left-arc{suffix}": 0, f"right-arc{suffix}": 0}


def test_the_mistakes_inside_the_top_count_once():
    assert losses(STANDARD, "shift*3 left-arc", [[0, 0], [2, 0], [0, 1]]) == [1, 0, 2]
    assert losses(SINGLE_STANDARD, "shift*4 left-arc*2", [[3, 1, 0]]) == [1]
    assert losses(SPINE, "shift*3 left-arc:1", [[0, 0], [2, 0], [0, 1]]) == [1, 0, 2]


def test_an_arc_of_the_tree_that_comes_too_soon():
    """After a right-arc its dependent can get no dependents; after a left-arc the head still can."""
    oracle, c = play(STANDARD, 4, ["shift"] * 3)
    assert oracle.costs(c, [0, 1, 2, 2]) == {"left-arc": 2, "right-arc": 2, "shift": 0}
    assert oracle.costs(c, [2, 0, 2, 2]) == {"left-arc": 0, "right-arc": 4, "shift": 0}
    oracle, c = play(SPINE, 4, ["shift"] * 3)
    assert oracle.costs(c, [0, 1, 2, 2]) == {"left-arc:1": 2, "right-arc:1": 0, "shift": 0}


@modes(STANDARD, SINGLE_STANDARD, SPINE, SINGLE_SPINE)
@pytest.mark.parametrize("kind", ["static", "nondet", "dynamic", "exact"])
def test_the_root_in_the_buffer_is_no_word_of_the_tree(mode, kind):
    """At the start 0 is in the buffer and has no gold head; nothing is lost, and shift is forced."""
    oracle = oracle_of(mode, kind)
    c = oracle.system.initial(4)
    for gold in projective_trees(4, mode.single_root):
        assert oracle.training(c, gold) == oracle.optimal(c, gold) == ["shift"]
        if kind in ("dynamic", "exact"):
            assert (oracle.loss(c, gold), oracle.costs(c, gold)) == (0, {"shift": 0})


@modes(STANDARD, SINGLE_STANDARD, SPINE, SINGLE_SPINE, ATTARDI, SINGLE_ATTARDI)
def test_words_that_are_gone_keep_their_heads_and_the_root_stays(mode):
    oracle = oracle_of(mode)
    for c in reachable(mode, 3):
        assert (
            len(c.stack) < 2
            or c.stack[-2] != 0
            or not any(move.startswith("left-arc") and ":2" not in move for move in oracle.system.valid(c))
        )
        if oracle.system.is_final(c):
            for gold in (
                all_trees(3, mode.single_root) if not mode.projective else projective_trees(3, mode.single_root)
            ):
                assert oracle.loss(c, gold) == sum(a != b for a, b in zip(c.heads, gold, strict=True))


@modes(SINGLE_STANDARD, SINGLE_SPINE, SINGLE_ATTARDI)
def test_the_root_takes_its_word_last(mode):
    before = 0 if mode == SINGLE_ATTARDI else 1
    for c in reachable(mode, 4):
        system = oracle_of(mode).system
        assert 0 not in c.heads or system.is_final(c), c
        assert len(c.stack) != 2 or not c.buffer or system.valid(c) == ["shift"] or c.stack[0] != 0, c
    _, c = play(mode, 2, ["shift"] * (before + 1))
    assert (c.stack, c.buffer, oracle_of(mode).system.valid(c)) == ([0, 1], [2], ["shift"])


# LR-spine.


SPINE_PATH = "shift*3 left-arc:1 right-arc:1 shift*2 right-arc:1 shift right-arc:1 shift left-arc:1 right-arc:2"
SINGLE_SPINE_PATH = "shift*3 left-arc:1 shift*2 right-arc:1 shift right-arc:1 shift left-arc:1 right-arc:1*2"


def test_lr_spine_step_by_step():
    assert static_path(SPINE, SAW) == moves(SPINE_PATH)
    assert static_path(SINGLE_SPINE, SAW) == moves(SINGLE_SPINE_PATH)
    one, two = [[0], [0]], [[2, 1], [2]]
    mistake = [[2, 1], [2, 3]]
    for mode, done, spines, buffer, optimal, loss in [
        (SPINE, "shift*3", [one, [[1], [1]], [[2], [2]]], [3, 4, 5, 6], ["left-arc:1", "shift"], 0),
        (SPINE, "shift*3 left-arc:1", [one, two], [3, 4, 5, 6], ["right-arc:1", "shift"], 0),
        (SPINE, "shift*3 left-arc:1 shift", [one, two, [[3], [3]]], [4, 5, 6], ["shift"], 0),
        (SPINE, "shift*3 left-arc:1 shift right-arc:1", [one, mistake], [4, 5, 6], ["right-arc:1", "shift"], 1),
        (SPINE, "shift*3 left-arc:1 shift right-arc:1 shift", [one, mistake, [[4], [4]]], [5, 6], ["right-arc:2"], 1),
        (SINGLE_SPINE, "shift*3", [one, [[1], [1]], [[2], [2]]], [3, 4, 5, 6], ["left-arc:1", "shift"], 0),
        (SINGLE_SPINE, "shift*3 left-arc:1", [one, two], [3, 4, 5, 6], ["shift"], 0),
        (SINGLE_SPINE, "shift*3 left-arc:1 shift right-arc:1", [one, mistake], [4, 5, 6], ["shift"], 1),
    ]:
        oracle, c = play(mode, 6, moves(done))
        assert (c.spines, c.buffer) == (spines, buffer)
        assert c.stack == [left[0] for left, _ in spines]
        assert (oracle.optimal(c, SAW), oracle.loss(c, SAW)) == (optimal, loss)
        assert loss or oracle_of(mode, "nondet").training(c, SAW) == optimal


def test_the_same_mistake_costs_three_in_arc_standard_and_one_in_lr_spine():
    (standard, a), (spine, b) = (
        play(STANDARD, 6, moves("shift*3 left-arc shift")),
        play(SPINE, 6, moves("shift*3 left-arc:1 shift")),
    )
    assert (standard.costs(a, SAW)["right-arc"], spine.costs(b, SAW)["right-arc:1"]) == (3, 1)


def test_a_left_spine_waits_for_words_deeper_in_the_stack():
    """The published rule drops nodes needed by words that are not joined yet, and finds one error more."""
    assert losses(SPINE, "shift*4", [[2, 3, 0], [2, 0, 2]]) == [0, 0]
    assert losses(SPINE, "shift*4 left-arc:1", [[2, 3, 0], [2, 0, 0], [2, 0, 2]]) == [0, 1, 2]
    assert losses(SPINE, "shift*5", [[0, 3, 4, 0], [0, 3, 4, 1], [2, 3, 0, 0], [2, 3, 0, 3]]) == [1, 0, 1, 0]
    assert losses(SINGLE_SPINE, "shift*5", [[0, 3, 4, 1], [2, 3, 0, 3]]) == [0, 0]


def test_spines_are_cut_behind_the_head_and_kept_whole_before_it():
    start = "shift*5 left-arc:1 left-arc:2"              # 4 -> 3, 3 -> 2; the others alone
    _, c = play(SPINE, 5, moves(start))
    assert c.spines == [[[0], [0]], [[1], [1]], [[4, 3, 2], [4]]]
    for k, left in ((1, [4, 1]), (2, [4, 3, 1]), (3, [4, 3, 2, 1])):
        _, c = play(SPINE, 5, [*moves(start), f"left-arc:{k}"])
        assert c.spines == [[[0], [0]], [left, [4]]]
    start = "shift*3 right-arc:1 shift right-arc:2 shift"       # 1 -> 2, 2 -> 3; then 4
    _, c = play(SPINE, 5, moves(start))
    assert c.spines == [[[0], [0]], [[1], [1, 2, 3]], [[4], [4]]]
    for k, right in ((1, [1, 4]), (2, [1, 2, 4]), (3, [1, 2, 3, 4])):
        _, c = play(SPINE, 5, [*moves(start), f"right-arc:{k}"])
        assert c.spines == [[[0], [0]], [[1], right]]


def test_both_spines_of_the_other_tree_are_taken_over_on_its_side_only():
    _, c = play(
        SPINE, 6, moves("shift*3 left-arc:1 shift right-arc:1 shift*2 left-arc:1 shift right-arc:1")
    )  # 2 -> 1, 2 -> 3; 5 -> 4, 5 -> 6
    assert c.spines == [[[0], [0]], [[2, 1], [2, 3]], [[5, 4], [5, 6]]]
    joined = {
        "left-arc:1": [[5, 2, 1], [5, 6]],
        "left-arc:2": [[5, 4, 2, 1], [5, 6]],
        "right-arc:1": [[2, 1], [2, 5, 6]],
        "right-arc:2": [[2, 1], [2, 3, 5, 6]],
    }
    system = oracle_of(SPINE).system
    assert system.valid(c) == list(joined)
    for move, element in joined.items():
        other = c.copy()
        system.apply(other, move)
        assert other.spines == [[[0], [0]], element]
        assert c.spines == [[[0], [0]], [[2, 1], [2, 3]], [[5, 4], [5, 6]]]


def test_a_word_that_was_attached_to_the_left_takes_words_from_the_left_only():
    """2 -> 3, then 4 -> 2: 2 can still get 1 as a dependent, 3 can get none."""
    text = "shift*4 right-arc:1 shift left-arc:1"
    oracle, c = play(SPINE, 5, moves(text))
    assert (c.spines, c.buffer, c.heads) == ([[[0], [0]], [[1], [1]], [[4, 2], [4]]], [5], [-1, 4, 2, -1, -1])
    assert oracle.system.valid(c) == ["left-arc:1", "left-arc:2", "right-arc:1", "shift"]
    assert losses(SPINE, text, [[2, 4, 2, 0, 4], [4, 4, 2, 0, 4], [3, 3, 0, 3, 4]]) == [0, 0, 4]
    assert oracle.costs(c, [2, 4, 2, 0, 4]) == {"left-arc:1": 1, "left-arc:2": 0, "right-arc:1": 2, "shift": 0}


def test_the_root_may_take_words_early_and_they_may_take_words_still():
    oracle, c = play(SPINE, 3, moves("shift*2 right-arc:1 shift"))
    assert c.spines == [[[0], [0, 1]], [[2], [2]]]
    assert oracle.system.valid(c) == ["right-arc:1", "right-arc:2", "shift"]
    assert oracle.costs(c, [0, 1, 2]) == {"right-arc:1": 1, "right-arc:2": 0, "shift": 0}
    assert oracle.costs(c, [0, 0, 2]) == {"right-arc:1": 0, "right-arc:2": 1, "shift": 0}


@pytest.mark.parametrize("side", ["left", "right"])
def test_spines_of_more_than_nine_words(side):
    """Names are sorted as strings, and depths can have two digits."""
    if side == "right":
        text = "shift*3 " + " ".join(f"right-arc:{k} shift" for k in range(1, 12))
    else:
        text = "shift*14 " + " ".join(f"left-arc:{k}" for k in range(1, 12))
    oracle, c = play(SPINE, 13, moves(text))
    long = c.spines[-2][1] if side == "right" else c.spines[-1][0]
    assert long == (list(range(1, 13)) if side == "right" else list(range(13, 1, -1)))
    names = [f"{name}-arc:{k}" for name in ("left", "right") for k in range(1, 13 if name == side else 2)]
    assert oracle.system.valid(c) == sorted(names)
    for k in (1, 9, 10, 11, 12):
        other = c.copy()
        oracle.system.apply(other, f"{side}-arc:{k}", "x")
        child = 13 if side == "right" else 1
        assert (other.heads[child - 1], other.labels[child - 1]) == (long[k - 1], "x")
        assert other.spines[-1][1 if side == "right" else 0] == [*long[:k], child]
    with pytest.raises(gp.UsageError, match="is not valid"):
        oracle.system.apply(c, f"{side}-arc:13")


# Attardi's.


@modes(ATTARDI, SINGLE_ATTARDI)
def test_attardi_step_by_step(mode):
    path = moves("shift*3 right-arc shift right-arc:2 left-arc shift right-arc*2")
    assert static_path(mode, CROSSING) == path
    c, oracle = oracle_of(mode).system.initial(5), oracle_of(mode)
    for move, stack, heads in zip(path, [
        [0, 1], [0, 1, 2], [0, 1, 2, 3], [0, 1, 2], [0, 1, 2, 4], [0, 1, 2], [0, 2], [0, 2, 5], [0, 2], [0],
    ], [
        [-1, -1, -1, -1, -1], [-1, -1, -1, -1, -1], [-1, -1, -1, -1, -1], [-1, -1, 2, -1, -1], [-1, -1, 2, -1, -1],
        [-1, -1, 2, 1, -1], [2, -1, 2, 1, -1], [2, -1, 2, 1, -1], [2, -1, 2, 1, 2], [2, 0, 2, 1, 2],
    ], strict=True):
        assert (oracle.loss(c, CROSSING), oracle.costs(c, CROSSING)[move]) == (0, 0)
        oracle.system.apply(c, move)
        assert (c.stack, c.heads) == (stack, heads)
    oracle, c = play(mode, 5, moves("shift*2 left-arc"))
    assert (c.stack, c.buffer, oracle.loss(c, CROSSING)) == ([0, 2], [3, 4, 5], 1)
    assert oracle.costs(c, CROSSING) == ({"shift": 0} if mode.single_root else {"right-arc": 2, "shift": 0})


def test_what_hangs_from_a_word_that_is_gone_is_lost():
    """The published reduction of the buffer loses this word."""
    assert losses(ATTARDI, "shift right-arc", [[2, 0, 1], [3, 1, 0]]) == [2, 2]
    assert losses(
        ATTARDI, "shift right-arc shift right-arc", [[0, 3, 0, 2], [0, 3, 1, 2], [0, 4, 2, 0], [0, 4, 2, 1]]
    ) == [2, 3, 2, 3]


def test_a_wrong_arc_inside_the_buffer_is_allowed_where_the_head_is_gone():
    assert losses(ATTARDI, "shift right-arc", [[0, 0, 1, 2], [0, 1, 1, 2], [0, 4, 1, 1], [2, 0, 1, 2]]) == [1, 2, 2, 2]
    assert losses(ATTARDI, "shift right-arc", [[0, 0, 0, 1, 3], [0, 0, 1, 1, 2], [0, 0, 1, 0, 2]]) == [1, 2, 1]


UNPARSABLE = [
    (0, 1, 0, 2),
    (2, 0, 0, 1),
    (2, 3, 0, 1),
    (3, 0, 2, 1),
    (3, 1, 0, 2),
    (4, 0, 0, 2),
    (4, 0, 2, 3),
    (4, 3, 0, 2),
]


@pytest.mark.parametrize("kind", ["static", "exact"])
def test_the_eight_trees_of_four_words_that_cannot_be_built(kind):
    assert [gold for gold in all_trees(4) if not oracle_of(ATTARDI, kind).derives(list(gold))] == UNPARSABLE
    assert [gold for gold in all_trees(4, True) if not oracle_of(SINGLE_ATTARDI, kind).derives(list(gold))] == [
        g for g in UNPARSABLE if g.count(0) == 1
    ]


def test_a_tree_that_cannot_be_built_is_lost_from_the_start():
    """Reduction and filter would make some losses too small and others too large."""
    assert losses(ATTARDI, "", UNPARSABLE) == [1] * 8
    assert losses(ATTARDI, "", [[0, 1, 0, 2, 1], [0, 1, 2, 1, 3], [0, 3, 1, 1, 2], [0, 3, 4, 0, 2]]) == [1] * 4
    for gold in UNPARSABLE:
        with pytest.raises(gp.UsageError, match="cannot be reached"):
            oracle_of(ATTARDI, "nondet").training(oracle_of(ATTARDI).system.initial(4), gold)


def test_the_root_may_take_a_word_early_and_pays_for_those_that_wait_for_it():
    oracle, c = play(ATTARDI, 4, ["shift"])
    assert [
        oracle.costs(c, gold)["right-arc"]
        for gold in ([0, 1, 1, 1], [0, 1, 1, 2], [0, 0, 1, 1], [0, 0, 2, 2], [2, 0, 1, 1])
    ] == [3, 2, 2, 0, 3]
    oracle, c = play(ATTARDI, 3, ["shift"] * 2)
    assert oracle.system.valid(c) == ["left-arc", "right-arc", "right-arc:2", "shift"]
    _, c = play(ATTARDI, 3, moves("shift*2 right-arc:2"))
    assert (c.stack, c.heads) == ([0, 1], [-1, 0, -1])


def test_the_single_root_mode_of_attardi_keeps_the_root_for_the_end():
    for text, valid in [
        ("shift", ["shift"]),
        ("shift*2", ["left-arc", "right-arc", "shift"]),
        ("shift*3", ["left-arc", "left-arc:2", "right-arc", "right-arc:2"]),
        ("shift*3 left-arc", ["left-arc", "right-arc"]),
        ("shift*3 left-arc*2", ["right-arc"]),
    ]:
        oracle, c = play(SINGLE_ATTARDI, 3, moves(text))
        assert oracle.system.valid(c) == valid


@pytest.mark.parametrize(
    "n, trees, parsable",
    [(3, 16, 16), (4, 125, 117), (5, 1_296, 1_011), pytest.param(6, 16_807, 9_597, marks=pytest.mark.long)],
)
def test_how_many_trees_attardi_builds(n, trees, parsable):
    """The twin builds the trees that the static oracle derives, in single-root mode those with one root."""
    static, single = oracle_of(ATTARDI, "static"), oracle_of(SINGLE_ATTARDI, "static")
    built = {gold for gold in all_trees(n) if static.derives(list(gold))}
    assert (len(all_trees(n)), len(built)) == (trees, parsable)
    assert built == derivable(ATTARDI, n)
    assert (
        {gold for gold in built if gold.count(0) == 1}
        == derivable(SINGLE_ATTARDI, n)
        == {gold for gold in built if single.derives(list(gold))}
    )


def test_how_many_stacks_and_buffers_were_checked():
    """Numbers of pairs: what is left with every tree, with every tree that can be built, and with one root."""
    def left(mode, n):
        return len({(*c.stack, -1, *c.buffer) for c in reachable(mode, n)})

    assert sum(left(ATTARDI, n) * len(all_trees(n)) for n in (2, 3, 4, 5)) == 85_784
    assert sum(left(ATTARDI, n) * len(derivable(ATTARDI, n)) for n in (2, 3, 4, 5)) == 67_581
    assert sum(left(ATTARDI, n) * len(derivable(ATTARDI, n)) for n in (2, 3, 4)) == 3_888
    assert sum(left(SINGLE_ATTARDI, n) * len(all_trees(n, True)) for n in (2, 3, 4)) == 1_921


def test_what_is_left_decides_what_can_be_lost():
    """The search for long sentences agrees with the list of all trees."""
    for mode in (STANDARD, SINGLE_STANDARD, SPINE, SINGLE_SPINE, ATTARDI, SINGLE_ATTARDI):
        start = twin_of(mode, 4)
        can = final_trees(mode, 4)[start.key()]
        golds = all_trees(4, mode.single_root)
        assert {
            gold for gold, loss in zip(golds, future_losses(mode, golds)[start.rest()], strict=True) if loss == 0
        } == can


@pytest.mark.parametrize("gold, fault", [
    ([3, 4, 0, 3], "has crossing arcs"), ([2, 1, 0, 3], "words 1 and 2 form a cycle"), ([0, 0, 1, 1], "several roots"),
    ([1, 0, 2, 2], "word 1 is its own head"),
])
@pytest.mark.parametrize("name", ["arc-standard", "lr-spine"])
def test_a_gold_tree_beyond_the_table_is_refused(name, gold, fault):
    """Without the check the table would silently return a wrong loss."""
    oracle = gp.oracles.get(name, single_root=True)
    with pytest.raises(UsageError, match=fault):
        oracle.loss(oracle.system.initial(4), gold)


def test_attardi_takes_any_tree_but_nothing_else():
    oracle = gp.oracles.get("attardi", single_root=True)
    assert oracle.loss(oracle.system.initial(4), [3, 4, 0, 3]) == 0
    assert oracle.loss(oracle.system.initial(4), [0, 0, 1, 1]) == 1
    with pytest.raises(UsageError, match="word 3 is its own head"):
        oracle.training(oracle.system.initial(4), [0, 4, 3, 1])


@modes(STANDARD, SPINE, ATTARDI, SINGLE_ATTARDI, Mode("arc-eager-unshift"))
def test_gold_first_is_gold_arcs_if_there_are_any(mode):
    """Gold arcs are recognised by the heads before and after the transition."""
    oracle = gp.oracles.get(mode.name, prefer="gold-first", single_root=mode.single_root)
    exact = gp.oracles.get(mode.name, "exact", prefer="gold-first", single_root=mode.single_root)
    plain = gp.oracles.get(mode.name, single_root=mode.single_root)
    narrowed = 0
    for c in reachable(mode, 3):
        for gold in projective_trees(3, mode.one_root) if not oracle.system.is_final(c) else ():
            accepted = plain.training(c, gold)
            heads = {move: after(oracle.system, c, move).heads for move in accepted}
            builds = [
                move
                for move in accepted
                if any(new == head != old for old, new, head in zip(c.heads, heads[move], gold, strict=True))
            ]
            assert oracle.training(c, gold) == (builds or accepted)
            if mode.name != "arc-eager-unshift":
                assert exact.training(c, gold) == (builds or accepted)
            narrowed += 0 < len(builds) < len(accepted)
    assert narrowed > 0
