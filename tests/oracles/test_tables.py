"""The oracles against the papers' tables, term by term, and what training makes of them: preferences, and how far they are from the search's."""

import pytest
from tables import View, published_cost, repair_last, static_move, tree_cost, unshift_cost, unshift_preference

import gardenpath as gp
from brute import ROOT_LAST, gold_trees, projective_trees, reachable
from gardenpath.errors import UsageError

EACH = pytest.mark.parametrize("name", gp.systems.names())
NON_MONOTONIC = pytest.mark.parametrize("name", ["arc-eager-nml", "arc-eager-nmd", "arc-eager-nmld"])


def pairs(name, n=4):
    """Every configuration but the final ones, beside every tree."""
    system = gp.systems.get(name)
    configurations = [c for c in reachable(name, n) if not system.is_final(c)]
    return [(c, gold) for gold in gold_trees(name, n) for c in configurations]


@EACH
def test_costs_are_those_of_the_tables(name):
    oracle = gp.oracles.get(name)
    for c, gold in pairs(name):
        view = View(c, gold)
        if name == "arc-eager-tree":
            assert oracle.training_costs(c, gold) == {move: tree_cost(view, move) for move in oracle.system.valid(c)}, (c, gold)
        elif name == "arc-eager-unshift":
            assert oracle.costs(c, gold) == {move: unshift_cost(view, move) for move in oracle.system.valid(c)}, (c, gold)
        else:
            nml, nmd = name.endswith(("nml", "nmld")), name.endswith(("nmd", "nmld"))
            assert oracle.costs(c, gold) == {move: published_cost(view, move, nml, nmd) for move in oracle.system.valid(c)}, (c, gold)


@NON_MONOTONIC
def test_repair_last_is_the_preference_table_and_the_search(name):
    oracle, exact = gp.oracles.get(name), gp.oracles.get(name, "exact")
    for c, gold in pairs(name):
        training = oracle.training(c, gold)
        assert training == repair_last(View(c, gold), oracle.optimal(c, gold)) == exact.training(c, gold) != [], (c, gold)


def test_plain_arc_eager_has_no_preference():
    for prefer in gp.oracles.PREFERENCES:
        oracle = gp.oracles.get("arc-eager", prefer=prefer)
        assert all(oracle.training(c, gold) == oracle.optimal(c, gold) for c, gold in pairs("arc-eager"))


def test_unshift_prefers_by_its_table_and_nearly_as_the_search():
    oracle, exact = gp.oracles.get("arc-eager-unshift"), gp.oracles.get("arc-eager-unshift", "exact")
    differ = 0
    for c, gold in pairs("arc-eager-unshift"):
        training, searched = oracle.training(c, gold), exact.training(c, gold)
        assert training == unshift_preference(View(c, gold), oracle.optimal(c, gold)), (c, gold)
        assert set(training) & set(searched), (c, gold)
        differ += training != searched
    assert (differ, len(pairs("arc-eager-unshift"))) == (970, 19_230)


def test_the_tree_system_trains_by_costs_that_are_nearly_exact():
    oracle, exact = gp.oracles.get("arc-eager-tree"), gp.oracles.get("arc-eager-tree", "exact")
    differ = wrong = 0
    for c, gold in pairs("arc-eager-tree"):
        costs, training, optimal = oracle.training_costs(c, gold), oracle.training(c, gold), exact.optimal(c, gold)
        assert training == [move for move, cost in costs.items() if cost == min(costs.values())] != []
        differ += training != optimal
        wrong += not set(training) <= set(optimal)
    assert (differ, wrong, len(pairs("arc-eager-tree"))) == (613, 28, 5_070)


@EACH
def test_any_accepts_every_optimal_move(name):
    oracle = gp.oracles.get(name, prefer="any")
    for c, gold in pairs(name):
        costs = oracle.training_costs(c, gold) if name == "arc-eager-tree" else oracle.costs(c, gold)
        assert oracle.training(c, gold) == [move for move, cost in costs.items() if cost == 0], (c, gold)


@NON_MONOTONIC
def test_monotonic_only_accepts_what_arc_eager_would(name):
    """Members of Z(c) that the monotonic system permits and that cost nothing there; without any, all of Z(c)."""
    oracle = gp.oracles.get(name, prefer="monotonic-only")
    for c, gold in pairs(name):
        view, optimal = View(c, gold), oracle.optimal(c, gold)
        monotonic = [move for move in optimal if not oracle.system.is_repair(c, move) and published_cost(view, move, nml=False, nmd=False) == 0]
        assert oracle.training(c, gold) == (monotonic or optimal), (c, gold)


def test_monotonic_only_differs_little_from_the_default():
    narrow, default = gp.oracles.get("arc-eager-nmld", prefer="monotonic-only"), gp.oracles.get("arc-eager-nmld")
    differ = [(c, gold) for c, gold in pairs("arc-eager-nmld") if narrow.training(c, gold) != default.training(c, gold)]
    assert (len(differ), len(pairs("arc-eager-nmld"))) == (40, 13_475)


def test_monotonic_only_drops_the_repairs_of_unshift():
    narrow, default = gp.oracles.get("arc-eager-unshift", prefer="monotonic-only"), gp.oracles.get("arc-eager-unshift")
    narrower = 0
    for c, gold in pairs("arc-eager-unshift"):
        training, preferred = narrow.training(c, gold), default.training(c, gold)
        without = [move for move in preferred if not default.system.is_repair(c, move)]
        assert training in (without, preferred), (c, gold)
        assert training, (c, gold)
        narrower += training != preferred
    assert narrower > 100


@EACH
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6])
def test_the_static_oracle_derives_every_projective_tree_without_repairs(name, n):
    oracle = gp.oracles.get(name, "static")
    for gold in gold_trees(name, n):
        c, moves = oracle.system.initial(n), 0
        while not oracle.system.is_final(c):
            [move] = oracle.training(c, gold)
            assert oracle.optimal(c, gold) == [move] == [static_move(View(c, gold))]
            assert not oracle.system.is_repair(c, move), (c, gold)
            oracle.system.apply(c, move)
            moves += 1
        assert tuple(c.heads) == gold
        assert moves == (2 * n + 1 if name in ROOT_LAST else 2 * n - 1)
        assert oracle.derives(list(gold))


@EACH
def test_what_the_static_oracle_cannot_derive(name):
    oracle = gp.oracles.get(name, "static")
    assert not oracle.derives([3, 4, 0, 3])                                     # crossing arcs
    assert oracle.derives([0, 0]) is (name in ROOT_LAST)                        # several roots
    several = [gold for gold in projective_trees(4) if gold.count(0) > 1]
    assert {oracle.derives(list(gold)) for gold in several} == {name in ROOT_LAST}


@EACH
def test_the_nondeterministic_oracle_is_for_gold_paths(name):
    nondet, dynamic = gp.oracles.get(name, "nondet"), gp.oracles.get(name)
    raised = 0
    for c, gold in pairs(name, 3):
        if dynamic.loss(c, gold) == 0:
            assert nondet.training(c, gold) == dynamic.training(c, gold)
        else:
            raised += 1
            with pytest.raises(UsageError, match=r"the gold tree is out of reach in .*ask the dynamic one"):
                nondet.training(c, gold)
    assert raised > 100


@EACH
def test_a_right_label_costs_less_on_a_gold_arc_only(name):
    oracle = gp.oracles.get(name)
    for c, gold in pairs(name, 3):
        labels = ["a", "b", "c"]
        expected = {}
        for move, cost in oracle.costs(c, gold).items():
            s, b = (c.stack or [None])[-1], (c.buffer or [None])[0]
            head, child = {"left-arc": (b, s), "right-arc": (s, b)}.get(move, (None, None))
            if move == "reduce" and c.heads[s - 1] == -1:
                head, child = c.stack[-2], s
            if child is None:
                expected[move] = cost
            else:
                is_gold = gold[child - 1] == head
                expected |= {f"{move}({label})": cost + (is_gold and label != labels[child - 1]) for label in labels}
        assert oracle.labelled_costs(c, gold, labels) == expected, (c, gold)


@EACH
def test_a_final_configuration_has_nothing_to_learn_from(name):
    for kind in gp.oracles.kinds(name):
        oracle = gp.oracles.get(name, kind)
        for c in reachable(name, 3):
            if oracle.system.is_final(c):
                assert oracle.training(c, [0, 1, 1]) == []
                assert oracle.costs(c, [0, 1, 1]) == {}


@EACH
def test_questions_that_make_no_sense(name):
    oracle = gp.oracles.get(name)
    c = oracle.system.initial(3)
    for ask in (oracle.loss, oracle.costs, oracle.optimal, oracle.training, gp.oracles.get(name, "exact").loss):
        with pytest.raises(UsageError, match="the gold tree has 2 words, the configuration 3"):
            ask(c, [0, 1])
        for gold in ([0, 1, 4], [0, 1, -1], [0, 1, None]):
            with pytest.raises(UsageError, match="a head between 0 and 3 for every word, not"):
                ask(c, gold)
    with pytest.raises(UsageError, match=f"{name} has no oracle called 'nonsense'; it has static, nondet, dynamic, exact"):
        gp.oracles.get(name, "nonsense")
    with pytest.raises(UsageError, match="no training preference is called 'nonsense'; there are repair-last, any, monotonic-only"):
        gp.oracles.get(name, prefer="nonsense")
    with pytest.raises(UsageError, match="no system is called 'nonsense'"):
        gp.oracles.get("nonsense")
