"""Costs are exact: equal to those of all trees that a twin reaches, on longer sentences to exhaustive search."""

import random

import attardi_table
import pytest

import gardenpath as gp
from brute import (
    MODES,
    ROOT_FIRST,
    after,
    future_losses,
    gold_trees,
    losses_and_costs,
    oracle_of,
    random_projective_tree,
    random_tree,
    twin_of,
    with_twins,
)
from twins import COVINGTON

EACH = pytest.mark.parametrize("mode", MODES, ids=str)
EXACT = pytest.mark.parametrize("mode", [mode for mode in MODES if mode.exact], ids=str)
LASTING = pytest.mark.parametrize("mode", [mode for mode in MODES if mode.name in ROOT_FIRST], ids=str)
RATES = pytest.mark.parametrize("rate", [0.05, 0.2, 0.5, 1.0])
MOST_WORDS = {"arc-eager-unshift": 5, "attardi": 6}


def agrees(oracle, c, gold, loss, costs):
    assert oracle.loss(c, gold) == loss, (c, gold)
    assert oracle.costs(c, gold) == costs, (c, gold)
    assert oracle.optimal(c, gold) == [move for move, cost in costs.items() if cost == 0], (c, gold)
    assert not costs or min(costs.values()) == 0, (c, gold)


@pytest.mark.parametrize(
    "mode, kind",
    [(mode, kind) for mode in MODES for kind in ("exact", "dynamic") if kind == "exact" or mode.exact],
    ids=str,
)
@pytest.mark.parametrize("n", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.long)])
def test_costs_are_losses(mode, kind, n):
    """In every reachable configuration and for every tree: the loss, every cost, the transitions of cost 0."""
    oracle = oracle_of(mode, kind)
    for c, gold, loss, costs in losses_and_costs(mode, n):
        agrees(oracle, c, gold, loss, costs)


@EXACT
@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_search_finds_the_fewest_repairs(mode, n):
    exact = oracle_of(mode, "exact")
    for gold in gold_trees(mode, n):
        found = {}
        for c, twin in with_twins(mode, n):
            if not twin.is_final():
                after_move = {move: fewest(twin.after(move), gold, found) for move in twin.valid()}
                with_repair = {
                    move: (loss, repairs + twin.is_repair(move)) for move, (loss, repairs) in after_move.items()
                }
                best = min(with_repair.values())
                assert exact.training(c, gold) == [move for move in with_repair if with_repair[move] == best], (c, gold)


def fewest(twin, gold, found):
    """Return the least pair of loss and number of repairs over all continuations."""
    if twin.key() not in found:
        if twin.is_final():
            found[twin.key()] = (sum(a != b for a, b in zip(twin.heads(), gold, strict=True)), 0)
        else:
            ways = [(fewest(twin.after(move), gold, found), twin.is_repair(move)) for move in twin.valid()]
            found[twin.key()] = min((loss, repairs + repair) for (loss, repairs), repair in ways)
    return found[twin.key()]


def is_searched(mode, c):
    """Return whether little is left to search: few pairs of words, or few words on the stack and in the buffer."""
    if mode.name in COVINGTON:
        return len(c.stack) + sum(c.buffer[:-1]) <= 9
    return len(c.buffer) + len(c.stack) <= MOST_WORDS.get(mode.name, 7)


@EXACT
@RATES
@pytest.mark.parametrize("times", [3, pytest.param(8, marks=pytest.mark.long)])
def test_costs_are_losses_on_random_ways_through_longer_sentences(mode, rate, times):
    """Mistakes are made at the given rate; configurations are compared where the search is short."""
    exact, dynamic, rng = oracle_of(mode, "exact"), oracle_of(mode), random.Random(f"{mode} {rate}")
    compared = 0
    for n in [5, 6, 7, 8] * times:
        gold = (random_projective_tree if mode.projective else random_tree)(rng, n)
        c = dynamic.system.initial(n)
        while not dynamic.system.is_final(c):
            moves = dynamic.system.valid(c)
            if is_searched(mode, c):
                compared += 1
                costs = exact.costs(c, gold)
                agrees(dynamic, c, gold, exact.loss(c, gold), costs)
                moves = moves if rng.random() < rate else [move for move in moves if costs[move] == 0]
            elif rng.random() >= rate:
                moves = dynamic.training(c, gold)
            dynamic.system.apply(c, rng.choice(moves))
    assert compared > 12 * times


@LASTING
@RATES
@pytest.mark.parametrize("n", [5, 7, *(pytest.param(n, marks=pytest.mark.long) for n in (6, 8))])
def test_where_heads_last_the_twin_judges_longer_sentences_from_the_first_move_on(mode, rate, n):
    """What is left decides what can still be lost. Trees are projective, nearly projective or arbitrary."""
    dynamic, rng = oracle_of(mode), random.Random(f"{mode} {rate}")
    makers = [random_projective_tree] if mode.projective else [random_projective_tree, one_word_moved, random_tree]
    trees = [make(rng, n) for make in makers for _ in range(20 // len(makers))]
    if not mode.single_root:
        trees += [[0 if rng.random() < 0.2 else head for head in gold] for gold in trees]
        trees = [gold for gold in trees if not mode.projective or gp.trees.is_projective(gold)]
    future = future_losses(mode, trees)

    for i, gold in enumerate(trees):
        def loss(twin, i=i, gold=gold):
            return int(future[twin.rest()][i]) + sum(
                head not in (-1, right) for head, right in zip(twin.heads(), gold, strict=True)
            )

        c, twin = dynamic.system.initial(n), twin_of(mode, n)
        while not twin.is_final():
            costs = {move: loss(twin.after(move)) - loss(twin) for move in twin.valid()}
            agrees(dynamic, c, gold, loss(twin), costs)
            move = rng.choice([move for move, cost in costs.items() if cost == 0 or rng.random() < rate])
            dynamic.system.apply(c, move)
            twin.apply(move)
        assert dynamic.loss(c, gold) == loss(twin)


@pytest.mark.parametrize("single_root", [False, True])
@RATES
@pytest.mark.parametrize("n, times", [(8, 2), (11, 1), pytest.param(14, 2, marks=pytest.mark.long)])
def test_the_table_of_attardi_equals_the_published_one(single_root, rate, n, times):
    """In sentences that are too long for the search."""
    oracle, rng = gp.oracles.get("attardi", single_root=single_root), random.Random(f"{single_root} {rate} {n}")
    for make in (random_projective_tree, one_word_moved, random_tree) * times:
        gold = make(rng, n)
        c = oracle.system.initial(n)
        while not oracle.system.is_final(c):
            assert oracle.loss(c, gold) == attardi_table.loss(c, gold, single_root=single_root), (c, gold)
            moves = oracle.system.valid(c)
            if rng.random() >= rate:
                costs = oracle.costs(c, gold)
                moves = [move for move in moves if costs[move] == 0]
            oracle.system.apply(c, rng.choice(moves))


def one_word_moved(rng, n):
    """Return a projective tree with one word moved to another head."""
    gold = random_projective_tree(rng, n)
    moved = [
        [*gold[:word], head, *gold[word + 1 :]]
        for word in range(n)
        for head in range(1, n + 1)
        if gold[word] and head != word + 1
    ]
    return rng.choice([heads for heads in moved if gp.trees.is_tree(heads)] or [gold])


@EXACT
@pytest.mark.parametrize("rate", [0.05, 1.0])
def test_costs_add_up_in_long_sentences(mode, rate):
    """The costs of all transitions of a derivation add up to the number of wrong heads at its end."""
    dynamic, rng = oracle_of(mode), random.Random(f"{mode} {rate}")
    for n in (20, 30, 40):
        gold = (random_projective_tree if mode.projective else one_word_moved)(rng, n)
        c = dynamic.system.initial(n)
        expected = dynamic.loss(c, gold)
        while not dynamic.system.is_final(c):
            costs = dynamic.costs(c, gold)
            assert min(costs.values()) == 0
            move = rng.choice([move for move, cost in costs.items() if cost == 0 or rng.random() < rate])
            expected += costs[move]
            dynamic.system.apply(c, move)
            assert dynamic.loss(c, gold) == expected, (c, gold)
        assert expected == sum(a != b for a, b in zip(c.heads, gold, strict=True))


@EXACT
def test_the_search_gives_up_on_long_sentences(mode, monkeypatch):
    monkeypatch.setattr("gardenpath.oracles.exact.LIMIT", 1000)
    exact = oracle_of(mode, "exact")
    with pytest.raises(
        gp.UsageError, match="more than 1000 configurations to search; the exact oracle is for about 8 words"
    ):
        exact.loss(exact.system.initial(12), [0, *range(1, 12)])


@EACH
def test_the_search_answers_for_itself(mode):
    gold = [2, 0, 2]
    exact = oracle_of(mode, "exact")
    c = exact.system.initial(3)
    for _ in range(3 if mode.name in ROOT_FIRST else 1):
        c = after(exact.system, c, "shift")
    assert exact.derives(gold)
    assert exact.derives([3, 0, 2]) is (not mode.projective)    # crossing
    assert not exact.derives([3, 0, 1])                         # not a tree
    assert exact.training_costs(c, gold) == exact.costs(c, gold)
    assert max(exact.costs(c, gold).values()) > 0
    assert oracle_of(mode, "exact", prefer="any").training(c, gold) == exact.optimal(c, gold)
