"""The outcomes of opportunities to repair, in every configuration over a few words."""

from __future__ import annotations

from collections import Counter

import pytest
from slow_repairs import arc_of, learnt_from, outcome

from brute import MODES, Mode, losses_and_costs, oracle_of, reachable, system_of
from gardenpath import systems
from gardenpath.analysis.opportunities import Outcomes, can_repair
from gardenpath.analysis.referee import Referee
from gardenpath.errors import UsageError

WITHOUT_CHOICE = ("arc-eager-tree", "stay-eager")      # they repair only where no other transition is valid
WITH_CHOICE = ("arc-eager-nml", "arc-eager-nmd", "arc-eager-nmld", "arc-eager-unshift")
POSSIBLE = {
    "left-arc": ("true_positive", "false_positive", "even", "false_negative", "true_negative", "other"),
    "reduce": ("true_positive", "false_positive", "even", "false_negative", "true_negative", "other"),
    "unshift": ("true_positive", "even", "false_negative", "true_negative", "other"),  # an unshift never loses anything
}


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_the_kinds_of_repair_are_those_that_occur(mode):
    system = system_of(mode)
    found = {
        (move, len(system.valid(c)) > 1)
        for c in reachable(mode, 3)
        for move in system.valid(c)
        if system.is_repair(c, move)
    }
    assert {move for move, _ in found} == set(systems.get(mode.name).repairing)
    assert can_repair(system) is bool(found)
    assert any(is_choice for _, is_choice in found) is (can_repair(system) and mode.name not in WITHOUT_CHOICE)


@pytest.mark.parametrize("name", WITH_CHOICE)
def test_outcomes_equal_those_of_brute_force(name):
    """In every configuration, with every gold tree and every transition."""
    mode, seen = Mode(name), Counter()
    judges: dict[tuple[int, ...], Referee] = {}
    for c, gold, _, costs in losses_and_costs(mode, 4):
        repairs = [move for move in costs if system_of(mode).is_repair(c, move)]
        if not repairs:
            continue
        judge = judges.setdefault(gold, Referee(oracle_of(mode), gold))
        accepted = learnt_from(name, c, dict(enumerate(gold, 1)), costs)
        for made in costs:
            expected = []
            for move in repairs if len(costs) > 1 else []:
                arc = arc_of(c, move)
                expected.append(
                    (
                        move,
                        c.stack[-1],
                        outcome(made, move, costs, accepted, arc is not None and gold[arc[1] - 1] != arc[0]),
                    )
                )
            assert judge.judge(c, made) == expected, (c, gold, made)
            seen.update(expected)
    assert {(kind, fits) for kind, _, fits in seen} >= {
        (kind, fits) for kind in systems.get(name).repairing for fits in POSSIBLE[kind]
    }


def test_outcomes_of_covington_use_the_bound():
    """The same with costs that are differences of the bound."""
    mode, seen = Mode("covington-nm"), Counter()
    oracle = oracle_of(mode, "pc-upper")
    for gold in ([0, 1, 2], [2, 3, 0], [3, 1, 0], [0, 3, 1], [2, 0, 0]):
        judge = Referee(oracle, gold)
        for c in reachable(mode, 3):
            costs = {}
            for move in oracle.system.valid(c):
                after = c.copy()
                oracle.system.apply(after, move)
                costs[move] = oracle.loss(after, gold) - oracle.loss(c, gold)
            accepted = {move for move, cost in costs.items() if cost == min(costs.values())}
            for made in costs:
                expected = []
                for move in costs:
                    if oracle.system.is_repair(c, move):
                        head, dependent = arc_of(c, move)
                        expected.append(
                            (move, dependent, outcome(made, move, costs, accepted, gold[dependent - 1] != head))
                        )
                assert sorted(judge.judge(c, made)) == sorted(expected), (c, gold, made)
                seen.update(expected)
    assert {(kind, fits) for kind, _, fits in seen} == {
        (kind, fits) for kind in systems.get("covington-nm").repairing for fits in Outcomes().to_dict()
    }


def test_judging_an_invalid_transition_is_an_error():
    oracle = oracle_of(Mode("arc-eager-nmd"))
    c = oracle.system.initial(2)
    assert Referee(oracle, [2, 0]).judge(c, "shift") == []
    oracle.system.apply(c, "shift")
    oracle.system.apply(c, "shift")
    with pytest.raises(
        UsageError, match=r"arc-eager-nmd: 'right-arc' is not valid in .* valid transitions: left-arc, reduce"
    ):
        Referee(oracle, [2, 0]).judge(c, "right-arc")


def test_precision_and_recall():
    outcomes = Outcomes(true_positive=3, false_positive=2, even=1, false_negative=9, true_negative=20, other=4)
    assert (outcomes.precision, outcomes.recall, outcomes.opportunities) == (50, 25, 39)
    assert (Outcomes().precision, Outcomes().recall, Outcomes().opportunities) == (0, 0, 0)
    assert outcomes + outcomes == Outcomes(6, 4, 2, 18, 40, 8)
    outcomes.add("even")
    assert outcomes == Outcomes(3, 2, 2, 9, 20, 4)
