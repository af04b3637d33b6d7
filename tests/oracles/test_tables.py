"""The oracles against the papers' tables, term by term, and the preferences of training against the search's."""

import pytest
from tables import (
    View,
    correct_moves,
    published_cost,
    repair_last,
    static_move,
    tree_cost,
    unshift_cost,
    unshift_preference,
)

import gardenpath as gp
from brute import (
    COVINGTON,
    MODES,
    ROOT_FIRST,
    ROOT_LAST,
    Mode,
    after,
    all_trees,
    derivable,
    gold_trees,
    losses_and_costs,
    oracle_of,
    reachable,
)
from gardenpath.errors import UsageError

EACH = pytest.mark.parametrize("mode", MODES, ids=str)
ARC_EAGER = pytest.mark.parametrize("mode", [mode for mode in MODES if mode.name.startswith("arc-eager")], ids=str)
OTHERS = pytest.mark.parametrize("mode", [mode for mode in MODES if mode.name in ("covington", *ROOT_FIRST)], ids=str)
NON_MONOTONIC = pytest.mark.parametrize(
    "mode", [Mode("arc-eager-nml"), Mode("arc-eager-nmd"), Mode("arc-eager-nmld")], ids=str
)
TREE, UNSHIFT = Mode("arc-eager-tree"), Mode("arc-eager-unshift")

# n = 4: configurations that can reach the gold tree, and those of them with two transitions that keep it reachable.
CORRECT = {
    Mode("arc-standard"): (523, 12),
    Mode("arc-standard", True): (294, 10),
    Mode("lr-spine"): (753, 112),
    Mode("lr-spine", True): (352, 38),
    Mode("attardi"): (1_273, 133),
    Mode("attardi", True): (557, 44),
    Mode("covington"): (1_250, 321),
}


def pairs(mode, n=4):
    """Yield every configuration that is not final with every tree."""
    system = oracle_of(mode).system
    configurations = [c for c in reachable(mode, n) if not system.is_final(c)]
    return [(c, gold) for gold in gold_trees(mode, n) for c in configurations]


@ARC_EAGER
def test_costs_are_those_of_the_tables(mode):
    oracle = oracle_of(mode)
    for c, gold in pairs(mode):
        view = View(c, gold)
        if mode == TREE:
            assert oracle.training_costs(c, gold) == {move: tree_cost(view, move) for move in oracle.system.valid(c)}, (
                c,
                gold,
            )
        elif mode == UNSHIFT:
            assert oracle.costs(c, gold) == {move: unshift_cost(view, move) for move in oracle.system.valid(c)}, (
                c,
                gold,
            )
        else:
            nml, nmd = mode.name.endswith(("nml", "nmld")), mode.name.endswith(("nmd", "nmld"))
            assert oracle.costs(c, gold) == {
                move: published_cost(view, move, nml, nmd) for move in oracle.system.valid(c)
            }, (c, gold)


@NON_MONOTONIC
def test_repair_last_is_the_preference_table_and_the_search(mode):
    oracle, exact = oracle_of(mode), oracle_of(mode, "exact")
    for c, gold in pairs(mode):
        training = oracle.training(c, gold)
        assert training == repair_last(View(c, gold), oracle.optimal(c, gold)) == exact.training(c, gold) != [], (
            c,
            gold,
        )


@pytest.mark.parametrize(
    "mode", [mode for mode in MODES if mode.name in ("arc-eager", "covington", *ROOT_FIRST)], ids=str
)
@pytest.mark.parametrize("prefer", ["repair-last", "any", "monotonic-only"])
def test_what_repairs_nothing_has_no_preference(mode, prefer):
    oracle = oracle_of(mode, prefer=prefer)
    assert all(
        oracle.training(c, gold) == oracle.optimal(c, gold) for c, gold in pairs(mode, 4 if mode.projective else 3)
    )


def test_unshift_prefers_by_its_table_and_nearly_as_the_search():
    oracle, exact = oracle_of(UNSHIFT), oracle_of(UNSHIFT, "exact")
    differ = 0
    for c, gold in pairs(UNSHIFT):
        training, searched = oracle.training(c, gold), exact.training(c, gold)
        assert training == unshift_preference(View(c, gold), oracle.optimal(c, gold)), (c, gold)
        assert set(training) & set(searched), (c, gold)
        differ += training != searched
    assert (differ, len(pairs(UNSHIFT))) == (970, 19_230)


def test_the_tree_system_trains_by_costs_that_are_nearly_exact():
    oracle, exact = oracle_of(TREE), oracle_of(TREE, "exact")
    differ = wrong = 0
    for c, gold in pairs(TREE):
        costs, training, optimal = oracle.training_costs(c, gold), oracle.training(c, gold), exact.optimal(c, gold)
        assert training == [move for move, cost in costs.items() if cost == min(costs.values())] != []
        differ += training != optimal
        wrong += not set(training) <= set(optimal)
    assert (differ, wrong, len(pairs(TREE))) == (613, 28, 5_070)


@EACH
def test_any_accepts_every_optimal_move(mode):
    oracle = oracle_of(mode, prefer="any")
    for c, gold in pairs(mode):
        costs = oracle.training_costs(c, gold) if mode == TREE else oracle.costs(c, gold)
        assert oracle.training(c, gold) == [
            move for move, cost in costs.items() if cost == (0 if mode.exact else min(costs.values()))
        ], (c, gold)


@NON_MONOTONIC
def test_monotonic_only_accepts_what_arc_eager_would(mode):
    """Members of Z(c) that are valid and of cost 0 in the monotonic system; without any, all of Z(c)."""
    oracle = oracle_of(mode, prefer="monotonic-only")
    for c, gold in pairs(mode):
        view, optimal = View(c, gold), oracle.optimal(c, gold)
        monotonic = [
            move
            for move in optimal
            if not oracle.system.is_repair(c, move) and published_cost(view, move, nml=False, nmd=False) == 0
        ]
        assert oracle.training(c, gold) == (monotonic or optimal), (c, gold)


def test_monotonic_only_differs_little_from_the_default():
    narrow, default = oracle_of(Mode("arc-eager-nmld"), prefer="monotonic-only"), oracle_of(Mode("arc-eager-nmld"))
    differ = [
        (c, gold) for c, gold in pairs(Mode("arc-eager-nmld")) if narrow.training(c, gold) != default.training(c, gold)
    ]
    assert (len(differ), len(pairs(Mode("arc-eager-nmld")))) == (40, 13_475)


def test_monotonic_only_drops_the_repairs_of_unshift():
    narrow, default = oracle_of(UNSHIFT, prefer="monotonic-only"), oracle_of(UNSHIFT)
    narrower = 0
    for c, gold in pairs(UNSHIFT):
        training, preferred = narrow.training(c, gold), default.training(c, gold)
        without = [move for move in preferred if not default.system.is_repair(c, move)]
        assert training in (without, preferred), (c, gold)
        assert training, (c, gold)
        narrower += training != preferred
    assert narrower > 100


@OTHERS
def test_where_the_gold_tree_can_be_had_three_oracles_and_the_tables_agree(mode):
    """The nondeterministic oracle equals the search and the published partial oracles; the static one is part of it."""
    nondet, static = oracle_of(mode, "nondet"), oracle_of(mode, "static")
    correct = several = 0
    for c, gold, loss, costs in losses_and_costs(mode, 4):
        if loss == 0 and costs:
            view, optimal = View(c, gold), [move for move, cost in costs.items() if cost == 0]
            assert nondet.training(c, gold) == nondet.optimal(c, gold) == optimal, (c, gold)
            assert correct_moves(mode, view) in (optimal, None), (c, gold)
            assert static.training(c, gold) == static.optimal(c, gold) == [static_move(mode, view)], (c, gold)
            assert static_move(mode, view) in optimal, (c, gold)
            correct += 1
            several += len(optimal) > 1
    assert (correct, several) == CORRECT[mode]


def derivations(mode, n):
    """The static oracle builds every tree that can be built, in the fewest transitions and without repairs."""
    oracle, can = oracle_of(mode, "static"), derivable(mode, n)
    for gold in gold_trees(mode, n):
        assert oracle.derives(list(gold)) is (gold in can), gold
        if gold in can:
            c, moves = oracle.system.initial(n), 0
            while not oracle.system.is_final(c):
                [move] = oracle.training(c, gold)
                assert oracle.optimal(c, gold) == [move] == [static_move(mode, View(c, gold))], (c, gold)
                assert not oracle.system.is_repair(c, move), (c, gold)
                oracle.system.apply(c, move)
                moves += 1
            assert tuple(c.heads) == gold
            assert moves == fewest_moves(mode, gold)


def fewest_moves(mode, gold):
    """Covington's parser goes back from each word to the first one with an arc; other systems need a fixed number."""
    fewest, _ = mode.lengths(len(gold))
    if mode.name in COVINGTON:
        linked = [
            {gold[j - 1], *(k for k in range(1, j) if gold[k - 1] == j)} & {*range(1, j)}
            for j in range(1, len(gold) + 1)
        ]
        fewest += sum(j - min(before, default=j) for j, before in enumerate(linked, 1))
    return fewest


@EACH
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_the_static_oracle_derives_every_tree_that_can_be_built(mode, n):
    derivations(mode, n)


@pytest.mark.parametrize(
    "mode", [pytest.param(mode, marks=[] if mode.projective else pytest.mark.long) for mode in MODES], ids=str
)
def test_the_static_oracle_derives_every_tree_of_six_words_that_can_be_built(mode):
    derivations(mode, 6)


@EACH
@pytest.mark.parametrize("kind", ["static", "exact"])
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_nothing_else_is_derived(mode, kind, n):
    """Return, of all trees, those that the system can build."""
    oracle = oracle_of(mode, kind)
    assert {gold for gold in all_trees(n) if oracle.derives(list(gold))} == derivable(mode, n)


@EACH
def test_the_nondeterministic_oracle_is_for_gold_paths(mode):
    nondet, dynamic = oracle_of(mode, "nondet"), oracle_of(mode)
    raised = 0
    for c, gold in pairs(mode, 3):
        if dynamic.loss(c, gold) == 0:
            assert nondet.training(c, gold) == dynamic.training(c, gold)
        else:
            raised += 1
            with pytest.raises(UsageError, match=r"the gold tree cannot be reached from .*use the dynamic oracle"):
                nondet.training(c, gold)
    assert raised > (50 if mode.single_root else 100)


@EACH
def test_a_right_label_costs_less_on_a_gold_arc_only(mode):
    oracle, labels = oracle_of(mode), ["a", "b", "c"]
    for c, gold in pairs(mode, 3):
        expected = {}
        for move, cost in oracle.costs(c, gold).items():
            heads = after(oracle.system, c, move).heads
            # Without a root token the last words get their heads without a transition, and cycles are broken without an
            # arc.
            by_itself = (-1,) if mode.name in ROOT_LAST + ROOT_FIRST else (-1, 0)
            built = [(child, head) for child, head in enumerate(heads) if head not in (c.heads[child], *by_itself)]
            if not built:
                expected[move] = cost
            for child, head in built:
                expected |= {
                    f"{move}({label})": cost + (gold[child] == head and label != labels[child]) for label in labels
                }
        assert oracle.labelled_costs(c, gold, labels) == expected, (c, gold)


@EACH
def test_a_final_configuration_has_nothing_to_learn_from(mode):
    for kind in gp.oracles.kinds(mode.name):
        oracle = oracle_of(mode, kind)
        for c in reachable(mode, 3):
            if oracle.system.is_final(c):
                assert oracle.training(c, [0, 1, 1]) == []
                assert oracle.costs(c, [0, 1, 1]) == {}


@EACH
def test_questions_that_make_no_sense(mode):
    oracle = oracle_of(mode)
    c = oracle.system.initial(3)
    for ask in (oracle.loss, oracle.costs, oracle.optimal, oracle.training, oracle_of(mode, "exact").loss):
        with pytest.raises(UsageError, match="the gold tree has 2 words, the configuration 3"):
            ask(c, [0, 1])
        for gold in ([0, 1, 4], [0, 1, -1], [0, 1, None]):
            with pytest.raises(UsageError, match="a head from 0 to 3 for every word, not"):
                ask(c, gold)
    with pytest.raises(
        UsageError,
        match=f"{mode.name} has no oracle called 'nonsense'; it has {', '.join(gp.oracles.kinds(mode.name))}",
    ):
        oracle_of(mode, "nonsense")
    with pytest.raises(
        UsageError, match="no preference is called 'nonsense'; there are repair-last, any, monotonic-only, gold-first"
    ):
        oracle_of(mode, prefer="nonsense")
    with pytest.raises(UsageError, match="no system is called 'nonsense'"):
        gp.oracles.get("nonsense")
