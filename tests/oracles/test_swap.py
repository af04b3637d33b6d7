"""Arc-standard with swaps: static oracles by rules and counts, the bound by its formula, both against exhaustion."""

import random
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import gardenpath as gp
from brute import (
    after,
    all_trees,
    future_losses,
    oracle_of,
    random_projective_tree,
    random_tree,
    static_path,
    twin_of,
    ways,
    with_twins,
)
from swap_twins import (
    SWAP,
    SWAP_ONE,
    components,
    gold_arc,
    is_ascending,
    losses,
    ranks,
    swap_lower,
    swap_reward,
    swap_static,
)

BOTH = pytest.mark.parametrize("mode", [SWAP, SWAP_ONE], ids=str)
RATES = pytest.mark.parametrize("rate", [0.1, 0.4, 1.0])
SIX = [pytest.param(kind, 6, marks=pytest.mark.long) for kind in ("lazy", "eager")]
TREEBANKS = sorted((Path(__file__).parents[3] / "shared" / "treebanks").rglob("*.conllu"))

SENTENCE = [7, 0, 2, 2, 6, 4, 4, 2]                     # Who did you send the letter to ?
LAZY = (
    "shift shift shift right-arc swap shift shift shift shift left-arc right-arc swap shift shift "
    "left-arc right-arc right-arc shift right-arc right-arc"
)


@cache
def swaps(mode, n, kind):
    """Return, by tree, the number of swaps of the oracle."""
    return {gold: static_path(mode, gold, kind).count("swap") for gold in all_trees(n, mode.single_root)}


def pairs(mode, n, trees=None):
    """Yield every configuration and its twin with all or some trees, and the loss by exhaustion."""
    golds, known, rng = all_trees(n, mode.single_root), losses(mode, n), random.Random(n)
    for c, twin in with_twins(mode, n):
        for number in range(len(golds)) if trees is None else rng.sample(range(len(golds)), trees):
            yield c, twin, golds[number], known[twin.key()][number]


def differences(oracle, c, gold):
    return {
        move: oracle.loss(after(oracle.system, c, move), gold) - oracle.loss(c, gold) for move in oracle.system.valid(c)
    }


# The static oracles.


def test_the_places_and_components_of_the_example():
    """Ranks and components of the reference implementation on a known sentence."""
    assert [ranks(SENTENCE)[word] for word in range(9)] == [0, 6, 1, 2, 3, 4, 5, 7, 8]
    assert [components(SENTENCE)[word] for word in range(1, 9)] == [1, 2, 2, 4, 4, 4, 7, 8]


@BOTH
def test_the_example(mode):
    """Two swaps for the lazy oracle, five for the eager one; the same transitions in single-root mode."""
    lazy = static_path(mode, SENTENCE, "lazy")
    assert " ".join(lazy) == LAZY
    assert (len(lazy), lazy.count("swap"), static_path(mode, SENTENCE, "static")) == (20, 2, lazy)
    eager = static_path(mode, SENTENCE, "eager")
    assert (len(eager), eager.count("swap")) == (26, 5)


@BOTH
@pytest.mark.parametrize(
    "kind, n", [*((kind, n) for kind in ("static", "lazy", "eager") for n in (1, 2, 3, 4, 5)), *SIX]
)
def test_every_tree_is_derived_by_the_rules(mode, kind, n):
    """Each transition is the twin's, which raises an error for invalid ones."""
    oracle = oracle_of(mode, kind)
    for gold in all_trees(n, mode.single_root):
        twin, moves = twin_of(mode, n), static_path(mode, gold, kind)
        for move in moves:
            assert move == swap_static(twin, gold, lazy=kind != "eager"), (twin.key(), gold)
            twin.apply(move)
        assert twin.is_final()
        assert oracle.derives(list(gold))
        assert len(moves) == 2 * n + 2 * moves.count("swap")


@pytest.mark.parametrize(
    "n, eager, lazy", [(4, 93, 85), (5, 1_918, 1_708), pytest.param(6, 41_350, 36_860, marks=pytest.mark.long)]
)
def test_how_often_words_are_swapped(n, eager, lazy):
    assert [sum(swaps(SWAP, n, kind).values()) for kind in ("eager", "lazy", "static")] == [eager, lazy, lazy]


@BOTH
@pytest.mark.parametrize("n", [3, 4, 5, pytest.param(6, marks=pytest.mark.long)])
def test_waiting_never_costs_a_swap(mode, n):
    eager, lazy = swaps(mode, n, "eager"), swaps(mode, n, "lazy")
    assert all(lazy[gold] <= eager[gold] for gold in eager)
    assert any(lazy[gold] < eager[gold] for gold in eager) is (n >= 4)


@pytest.mark.parametrize("n, fewest", [(4, 80), pytest.param(5, 1_560, marks=pytest.mark.long)])
def test_the_fewest_swaps_there_can_be(n, fewest):
    """Search for the fewest swaps; the lazy oracle sometimes needs more."""
    total = 0
    for gold in all_trees(n):
        needed = {}
        for rest, moves in ways(SWAP, n).items():
            right = [
                needed[left] + (not child and len(left[1]) > len(rest[1]))
                for child, head, left in moves
                if not child or gold[child - 1] == head
            ]
            needed[rest] = min(right, default=0 if not moves else 10**6)
        least = needed[twin_of(SWAP, n).rest()]
        assert least <= swaps(SWAP, n, "lazy")[gold]
        total += least
    assert total == fewest


@pytest.mark.parametrize("n", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.long)])
@pytest.mark.parametrize("kind", ["static", "eager"])
def test_one_root_is_all_that_the_mode_derives(n, kind):
    oracle = oracle_of(SWAP_ONE, kind)
    assert [gold for gold in all_trees(n) if oracle.derives(list(gold))] == all_trees(n, True)


def test_projective_trees_need_no_swap():
    rng = random.Random("projective")
    for n in range(1, 30):
        gold = random_projective_tree(rng, n)
        for kind in ("lazy", "eager"):
            assert "swap" not in static_path(SWAP_ONE, gold, kind)


@BOTH
@pytest.mark.parametrize("kind", ["lazy", "eager"])
def test_longer_sentences_are_derived_by_the_rules(mode, kind):
    rng = random.Random(f"longer {mode}")
    for n in [*range(6, 16), 25]:
        for _ in range(3):
            gold, twin = random_tree(rng, n), twin_of(mode, n)
            for move in static_path(mode, gold, kind):
                assert move == swap_static(twin, gold, lazy=kind == "lazy"), (twin.key(), gold)
                twin.apply(move)


@pytest.mark.long
@pytest.mark.skipif(not TREEBANKS, reason="no treebanks beside the repository (../shared/treebanks)")
@pytest.mark.parametrize("path", TREEBANKS, ids=lambda path: path.stem)
def test_every_sentence_of_the_treebanks_is_derived(path):
    """The static oracle derives exactly the trees, in single-root mode those with one root."""
    oracles = [oracle_of(SWAP, kind) for kind in ("lazy", "eager")]
    single = [oracle_of(SWAP_ONE, kind) for kind in ("lazy", "eager")]
    trees = [sentence.heads for sentence in gp.read_conllu(path) if gp.trees.is_tree(sentence.heads, single_root=False)]
    assert trees
    for heads in trees:
        assert all(oracle.derives(heads) for oracle in (oracles + single if heads.count(0) == 1 else oracles)), heads


@BOTH
def test_on_gold_paths_four_oracles_agree(mode):
    """On the path of the lazy oracle all oracles by its rules agree, and the bound is 0."""
    kinds = [oracle_of(mode, kind) for kind in ("static", "lazy", "nondet", "dynamic")]
    for n in (1, 2, 3, 4):
        for gold in all_trees(n, mode.single_root):
            c = kinds[0].system.initial(n)
            while not kinds[0].system.is_final(c):
                said = [oracle.training(c, gold) for oracle in kinds]
                assert said[1:] == said[:1] * 3, (c, gold)
                assert kinds[3].loss(c, gold) == 0, (c, gold)
                kinds[0].system.apply(c, said[0][0])


# The bound of the loss.


@BOTH
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_bound_is_that_of_the_formula(mode, n):
    """For all reachable configurations and trees: never above the loss, and exact where the words left are in order."""
    oracle, checked = oracle_of(mode), Counter()
    for c, twin, gold, loss in pairs(mode, n):
        bound = oracle.loss(c, gold)
        assert bound == swap_lower(twin, gold), (c, gold)
        assert bound <= loss, (c, gold)
        assert bound == loss or not is_ascending(twin), (c, gold)
        checked[is_ascending(twin), bound == loss] += 1
    assert (checked[False, False] > 0) is (n > (2 if mode.single_root else 1))


@BOTH
@pytest.mark.parametrize("n", [1, 2, 3, pytest.param(4, marks=pytest.mark.long)])
def test_costs_are_what_the_bound_gains(mode, n):
    """Costs are differences of the bound, and follow the formula for arcs; shift and swap cost nothing."""
    oracle = oracle_of(mode)
    for c, twin, gold, _ in pairs(mode, n):
        costs = oracle.costs(c, gold)
        assert costs == differences(oracle, c, gold) == {move: price(twin, gold, move) for move in twin.valid()}, (
            c,
            gold,
        )
        assert oracle.optimal(c, gold) == [move for move, cost in costs.items() if cost == min(costs.values())], (
            c,
            gold,
        )


def price(twin, gold, move):
    if not move.endswith("arc"):
        return 0
    i, j = twin.stack[-2:]
    head, child = (j, i) if move == "left-arc" else (i, j)
    left = {*twin.stack, *twin.buffer}
    return (gold[child - 1] != head and gold[child - 1] in left) + sum(gold[word - 1] == child for word in left if word)


@pytest.mark.parametrize("everywhere", [False, pytest.param(True, marks=pytest.mark.long)])
@pytest.mark.parametrize("mode, counted", [(SWAP, 151_472), (SWAP_ONE, 53_552)], ids=str)
def test_the_bound_of_five_words(mode, counted, everywhere):
    """Heads never change, so one configuration for each rest is enough.

    In order the bound is exact, elsewhere often less.
    """
    oracle, same = oracle_of(mode), {True: [], False: []}
    for n in (3, 4, 5):
        golds = all_trees(n, mode.single_root)
        known = future_losses(mode, golds)
        for c, twin in {
            twin.rest(): (c, twin) for c, twin in with_twins(mode, n) if everywhere or is_ascending(twin)
        }.values():
            loss = known[twin.rest()] + [
                sum(head != gold[word - 1] for word, head in twin.head.items()) for gold in golds
            ]
            bounds = np.array([oracle.loss(c, gold) for gold in golds])
            assert (bounds <= loss).all(), c
            if is_ascending(twin) or n == 5:
                same[is_ascending(twin)].append(bounds == loss)
    in_order = np.concatenate(same[True])
    assert (len(in_order), in_order.sum()) == (counted, counted)
    if everywhere and mode == SWAP:
        assert np.mean(np.concatenate(same[False])) == pytest.approx(0.65, abs=0.005)


@BOTH
@pytest.mark.parametrize("n", [2, 3, 4, pytest.param(5, marks=pytest.mark.long)])
def test_costs_are_losses_while_words_are_in_order(mode, n):
    """Swap costs nothing in the bound. Up to five words a first swap can indeed always be corrected."""
    oracle, golds, swapped = oracle_of(mode), all_trees(n, mode.single_root), 0
    known = future_losses(mode, golds)
    for c, twin in {
        twin.rest(): (c, twin) for c, twin in with_twins(mode, n) if is_ascending(twin) and not twin.is_final()
    }.values():
        following = {move: twin.after(move) for move in twin.valid()}
        gains = {}
        for move, there in following.items():
            wrong = [
                sum(gold[word - 1] != head for word, head in there.head.items() if word not in twin.head)
                for gold in golds
            ]
            gains[move] = (known[there.rest()] + wrong - known[twin.rest()]).tolist()
        for number, gold in enumerate(golds):
            assert oracle.costs(c, gold) == {move: gain[number] for move, gain in gains.items()}, (c, gold)
        swapped += "swap" in gains
    assert swapped


@BOTH
@pytest.mark.parametrize("n, trees", [(2, None), (3, None), (4, 3)])
def test_the_search_finds_the_loss(mode, n, trees):
    exact = oracle_of(mode, "exact")
    assert all(exact.loss(c, gold) == loss for c, _, gold, loss in pairs(mode, n, trees))


# What training with exploration accepts.


@BOTH
@pytest.mark.parametrize(
    "n, trees", [(1, None), (2, None), (3, None), (4, 12), pytest.param(4, None, marks=pytest.mark.long)]
)
def test_what_training_accepts(mode, n, trees):
    oracle, seen = oracle_of(mode), Counter()
    for c, twin, gold, _ in pairs(mode, n, trees):
        if not twin.is_final():
            accepted = oracle.training(c, gold)
            assert accepted == swap_reward(twin, gold), (c, gold)
            seen.update(accepted)
    assert set(seen) == {"left-arc", "right-arc", "shift", "swap"} or n < 3


@BOTH
@RATES
def test_longer_sentences_with_mistakes(mode, rate):
    """Bound, costs and accepted transitions are the twin's."""
    oracle, rng = oracle_of(mode), random.Random(f"mistakes {mode} {rate}")
    for n in [5, 6, 8, 10, 14, 20] * 3:
        gold, twin = rng.choice([random_tree, random_projective_tree])(rng, n), twin_of(mode, n)
        c = oracle.system.initial(n)
        while not twin.is_final():
            accepted = oracle.training(c, gold)
            assert oracle.loss(c, gold) == swap_lower(twin, gold), (c, gold)
            assert oracle.costs(c, gold) == {move: price(twin, gold, move) for move in twin.valid()}, (c, gold)
            assert accepted == swap_reward(twin, gold), (c, gold)
            move = rng.choice(twin.valid() if rng.random() < rate else accepted)
            oracle.system.apply(c, move)
            twin.apply(move)
        assert oracle.loss(c, gold) == sum(a != b for a, b in zip(c.heads, gold, strict=True))


def test_a_pair_that_was_swapped_in_vain():
    """2 stays below 1, and both need an arc from 0. All words are alive, and yet one head will be wrong."""
    oracle, exact = oracle_of(SWAP), oracle_of(SWAP, "exact")
    [(c, gold)] = [(c, gold) for c, _, gold, loss in pairs(SWAP, 2) if oracle.loss(c, gold) < loss]
    assert (c.stack, c.buffer, gold) == ([0, 2, 1], [], (0, 0))
    assert (oracle.loss(c, gold), exact.loss(c, gold)) == (0, 1)


def test_a_gold_arc_waits_for_the_dependents_of_its_dependent():
    oracle = oracle_of(SWAP)
    c = oracle.system.initial(3)
    for _ in range(2):
        oracle.system.apply(c, "shift")
    assert oracle.training(c, [0, 1, 2]) == ["shift"]
    assert oracle.costs(c, [0, 1, 2]) == {"left-arc": 2, "right-arc": 1, "shift": 0, "swap": 0}
    assert oracle.training(c, [0, 1, 1]) == ["right-arc"]


def test_the_rules_for_arcs_are_the_twins_only_where_words_are_complete():
    """The reference rules build no arc between 1 and 2 while 3 is missing."""
    twin = twin_of(SWAP, 3).after("shift").after("shift")
    assert (gold_arc(twin, [0, 1, 2]), gold_arc(twin, [0, 1, 1]), gold_arc(twin, [2, 0, 2])) == (
        None,
        "right-arc",
        "left-arc",
    )


def test_the_kinds_of_oracles():
    assert set(gp.oracles.kinds("swap")) == {"static", "lazy", "eager", "nondet", "dynamic", "exact"}
