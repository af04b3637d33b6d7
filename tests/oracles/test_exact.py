"""Costs are losses: equal to exhaustive search, and that search equal to a list of all trees that a twin can still reach."""

import random

import pytest

import gardenpath as gp
from brute import Twin, after, final_trees, gold_trees, least_loss, random_projective_tree, reachable

pytestmark = pytest.mark.parametrize("name", gp.systems.names())
MOST_WORDS = {"arc-eager-unshift": 5}


def pairs_with_twins(name, n):
    """Every reachable configuration beside the twin's, found by making the same moves."""
    system = gp.systems.get(name)
    found, waiting = {}, [(system.initial(n), Twin(name, n))]
    while waiting:
        c, twin = waiting.pop()
        if c.key() not in found:
            found[c.key()] = c, twin
            waiting += [(after(system, c, move), twin.copy().apply(move)) for move in twin.valid()]
    return found.values()


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_search_finds_the_loss(name, n):
    exact, trees = gp.oracles.get(name, "exact"), final_trees(name, n)
    configurations = pairs_with_twins(name, n)
    for gold in gold_trees(name, n):
        for c, twin in configurations:
            assert exact.loss(c, gold) == least_loss(trees[twin.key()], gold), (c, gold)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_search_finds_the_fewest_repairs(name, n):
    exact = gp.oracles.get(name, "exact")
    configurations = pairs_with_twins(name, n)
    for gold in gold_trees(name, n):
        found = {}
        for c, twin in configurations:
            if not twin.is_final():
                after_move = {move: fewest(twin.copy().apply(move), gold, found) for move in twin.valid()}
                with_repair = {move: (loss, repairs + twin.is_repair(move)) for move, (loss, repairs) in after_move.items()}
                best = min(with_repair.values())
                assert exact.training(c, gold) == [move for move in with_repair if with_repair[move] == best], (c, gold)


def fewest(twin, gold, found):
    """The least (loss, number of repairs) of any way to the end."""
    if twin.key() not in found:
        if twin.is_final():
            found[twin.key()] = (sum(a != b for a, b in zip(twin.heads(), gold, strict=True)), 0)
        else:
            ways = [(fewest(twin.copy().apply(move), gold, found), twin.is_repair(move)) for move in twin.valid()]
            found[twin.key()] = min((loss, repairs + repair) for (loss, repairs), repair in ways)
    return found[twin.key()]


@pytest.mark.parametrize("n", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.long)])
def test_costs_are_losses(name, n):
    """On every configuration that can be reached, for every tree: the loss, every cost, the zero-cost moves."""
    exact, dynamic = gp.oracles.get(name, "exact"), gp.oracles.get(name, "dynamic")
    configurations = reachable(name, n)
    for gold in gold_trees(name, n):
        for c in configurations:
            agree(exact, dynamic, c, gold)


@pytest.mark.parametrize("rate", [0.05, 0.2, 0.5, 1.0])
def test_costs_are_losses_on_random_ways_through_longer_sentences(name, rate):
    """Mistakes are made at the given rate; the search begins where it need not take long."""
    exact, dynamic, rng = gp.oracles.get(name, "exact"), gp.oracles.get(name, "dynamic"), random.Random(f"{name} {rate}")
    compared = 0
    for n in [5, 6, 7, 8] * 8:
        gold = random_projective_tree(rng, n)
        c = dynamic.system.initial(n)
        while not dynamic.system.is_final(c):
            moves = dynamic.system.valid(c)
            if len(c.buffer) + len(c.stack) <= MOST_WORDS.get(name, 7):
                compared += 1
                costs = agree(exact, dynamic, c, gold)
                moves = moves if rng.random() < rate else [move for move in moves if costs[move] == 0]
            elif rng.random() >= rate:
                moves = dynamic.training(c, gold)
            dynamic.system.apply(c, rng.choice(moves))
    assert compared > 100


def agree(exact, dynamic, c, gold):
    costs = dynamic.costs(c, gold)
    assert dynamic.loss(c, gold) == exact.loss(c, gold), (c, gold)
    assert costs == exact.costs(c, gold), (c, gold)
    assert dynamic.optimal(c, gold) == [move for move, cost in costs.items() if cost == 0] == exact.optimal(c, gold), (c, gold)
    assert not costs or min(costs.values()) == 0, (c, gold)
    return costs


def test_the_search_gives_up_on_long_sentences(name, monkeypatch):
    monkeypatch.setattr("gardenpath.oracles.exact.LIMIT", 1000)
    exact = gp.oracles.get(name, "exact")
    with pytest.raises(gp.UsageError, match="more than 1000 configurations to search; the exact oracle is for short sentences"):
        exact.loss(exact.system.initial(12), [0, *range(1, 12)])


def test_the_search_answers_for_itself(name):
    gold = [2, 0, 2]
    exact, system = gp.oracles.get(name, "exact"), gp.systems.get(name)
    c = system.initial(3)
    system.apply(c, "shift")
    assert exact.derives(gold)
    assert not exact.derives([3, 0, 1])     # crossing
    assert exact.training_costs(c, gold) == exact.costs(c, gold)
    assert max(exact.costs(c, gold).values()) > 0
    assert gp.oracles.get(name, "exact", prefer="any").training(c, gold) == exact.optimal(c, gold)
