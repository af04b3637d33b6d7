"""The constraints against all transition sequences of short sentences."""

from __future__ import annotations

import itertools
import random
from typing import ClassVar

import pytest

import gardenpath as gp
from brute import MODES, Mode, after, final_trees, random_projective_tree, random_tree, system_of, twin_of
from gardenpath import constraints
from gardenpath.constraints.base import GivenArcs
from gardenpath.constraints.conflicts import has_conflict
from swap_twins import REORDERING, STAY, STAY_ONE, SWAP, SWAP_ONE

REPAIRING = Mode("covington-nm")
EXACT = [mode for mode in MODES if mode != REPAIRING] + [*REORDERING]
LARGEST = {"stay-eager": 3}            # it has 40 times as many configurations with four words


def agrees(given, tree) -> bool:
    return all(head is None or head == found for head, found in zip(given, tree, strict=True))


def some_given(mode: Mode, n: int, count: int) -> list[tuple[int | None, ...]]:
    """Return random parts of random trees that the system can build."""
    rng = random.Random(f"{mode} {n}")
    trees = sorted(final_trees(mode, n)[twin_of(mode, n).key()])
    found = {tuple(rng.choice([None, head]) for head in rng.choice(trees)) for _ in range(count)}
    return sorted(found, key=str)


def reaches_agreeing_tree(mode: Mode, n: int, given):
    """Return a function that tells whether a tree with the given arcs can be reached from a twin."""
    trees = final_trees(mode, n)
    return lambda twin: any(agrees(given, tree) for tree in trees[twin.key()])


def reaches_without_other_heads(given):
    """Return a function like the former, for derivations where no word with a given head ever has another one."""

    @cache_by_key
    def reaches(twin) -> bool:
        pairs = zip(given, twin.heads(), strict=True)
        if any(wanted is not None and head not in (-1, wanted) for wanted, head in pairs):
            return False
        following = [twin.after(move) for move in twin.valid()]
        return any(reaches(other) for other in following) if following else agrees(given, twin.heads())

    return reaches


def cache_by_key(function):
    known: dict[tuple, bool] = {}

    def cached(twin) -> bool:
        if twin.key() not in known:
            known[twin.key()] = function(twin)
        return known[twin.key()]

    return cached


def decisions(mode: Mode, n: int, given, reaches=None):
    """Yield all configurations that allowed transitions lead to, each with the allowed and the right transitions.

    A transition is right if a tree with the given arcs can be reached after it, or if `reaches` says so.
    """
    system, reaches = system_of(mode), reaches or reaches_agreeing_tree(mode, n, given)
    constraint = constraints.of(system)
    seen, waiting = set(), [(system.initial(n), twin_of(mode, n))]
    while waiting:
        c, twin = waiting.pop()
        if twin.key() in seen or system.is_final(c):
            continue
        seen.add(twin.key())
        following = {move: twin.after(move) for move in twin.valid()}
        right = {move for move, other in following.items() if reaches(other)}
        allowed = set(constraint.allowed(c, given))
        yield c, allowed, right
        waiting += [(after(system, c, move), following[move]) for move in allowed & right]


def sizes(modes, most=4):
    return [(mode, n) for mode in modes for n in range(1, LARGEST.get(mode.name, most) + 1)]


@pytest.mark.parametrize(("mode", "n"), sizes(EXACT), ids=str)
def test_a_transition_is_allowed_if_and_only_if_an_agreeing_tree_is_reachable(mode, n):
    for given in some_given(mode, n, 40):
        for c, allowed, right in decisions(mode, n, given):
            assert allowed == right, (given, c)


@pytest.mark.long
@pytest.mark.parametrize(("mode", "n"), [(SWAP, 5), (SWAP_ONE, 5), (STAY, 4), (STAY_ONE, 4)], ids=str)
def test_a_transition_of_longer_sentences_is_allowed_if_and_only_if_an_agreeing_tree_is_reachable(mode, n):
    rng = random.Random(f"{mode} {n}")
    for _ in range(10):
        given = tuple(rng.choice([None, head]) for head in random_tree(rng, n))
        for c, allowed, right in decisions(mode, n, given, reaches_without_other_heads(given)):
            assert allowed == right, (given, c)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_covington_nm_allows_all_transitions_that_give_no_word_another_head_than_the_given_one(n):
    for given in some_given(REPAIRING, n, 40):
        for c, allowed, right in decisions(REPAIRING, n, given, reaches_without_other_heads(given)):
            assert allowed == right, (given, c)


@pytest.mark.parametrize(("mode", "n"), sizes([REPAIRING, *REORDERING]), ids=str)
def test_preferred_transitions_build_all_agreeing_trees(mode, n):
    """Words may have to wait, but no tree is excluded, and the parser is never stuck."""
    system = system_of(mode)
    constraint, total, exact = constraints.of(system), 0, 0
    for given in some_given(mode, n, 12):
        built, seen, waiting = set(), set(), [system.initial(n)]
        while waiting:
            c = waiting.pop()
            if system.is_final(c):
                built.add(tuple(c.heads))
            elif c.key() not in seen:
                seen.add(c.key())
                allowed, preferred = constraint.allowed(c, given), constraint.preferred(c, given)
                assert preferred, (given, c)
                assert set(preferred) <= set(allowed), (given, c)
                total, exact = total + 1, exact + (allowed == preferred)
                waiting += [after(system, c, move) for move in preferred]
        assert built == {tree for tree in final_trees(mode, n)[twin_of(mode, n).key()] if agrees(given, tree)}
    assert exact > 0.9 * total


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_other_systems_prefer_all_transitions_that_are_allowed(mode):
    for given in some_given(mode, 3, 5):
        system, c = system_of(mode), system_of(mode).initial(3)
        constraint = constraints.of(system)
        while not system.is_final(c):
            assert constraint.preferred(c, given) == constraint.allowed(c, given)
            system.apply(c, constraint.allowed(c, given)[0])


@pytest.mark.parametrize("mode", [*MODES, *REORDERING], ids=str)
def test_heads_conflict_if_and_only_if_no_tree_has_them(mode):
    constraint = constraints.of(system_of(mode))
    for n in (1, 2, 3):
        trees = final_trees(mode, n)[twin_of(mode, n).key()]
        for given in itertools.product([None, *range(n + 2)], repeat=n):
            possible = any(agrees(given, tree) for tree in trees)
            assert has_conflict(given, constraint, single_root=mode.one_root) is not possible, given


@pytest.mark.parametrize("mode", [mode for mode in MODES if mode.name == "attardi" or mode.projective], ids=str)
def test_conflicts_of_four_words(mode):
    constraint = constraints.of(system_of(mode))
    rng = random.Random(str(mode))
    trees = final_trees(mode, 4)[twin_of(mode, 4).key()]
    for given in rng.sample(list(itertools.product([None, *range(5)], repeat=4)), 400):
        possible = any(agrees(given, tree) for tree in trees)
        assert has_conflict(given, constraint, single_root=mode.one_root) is not possible, given


@pytest.mark.parametrize("name", ["allowed", "preferred"])
@pytest.mark.parametrize("mode", [*MODES, *REORDERING], ids=str)
def test_random_transitions_end_in_an_agreeing_tree(mode, name):
    """Also with longer sentences, and if one kind of transition is frequent."""
    rng, system = random.Random(str(mode)), system_of(mode)
    constraint = constraints.of(system)
    for _ in range(60):
        n = rng.randint(2, 12)
        tree = (random_projective_tree if mode.projective else random_tree)(rng, n)
        given = [rng.choice([None, head]) for head in tree]
        if not constraint.is_consistent(GivenArcs(given), mode.one_root):
            assert mode.name == "attardi"
            continue
        favourite, c = rng.choice(system.moves), system.initial(n)
        while not system.is_final(c):
            allowed = getattr(constraint, name)(c, given)
            assert allowed, (given, c)
            system.apply(c, favourite if favourite in allowed and rng.random() < 0.7 else rng.choice(allowed))
        assert agrees(given, c.heads)


def test_a_system_without_a_constraint_is_an_error():
    class Own(gp.systems.PythonSystem):
        """A system of the user."""

        name = "own"
        transitions: ClassVar[dict[str, None]] = {"shift": None}

    with pytest.raises(gp.UsageError, match=r"own cannot keep given heads.*--reparse"):
        constraints.of(Own())


def test_only_constraints_can_be_registered():
    with pytest.raises(gp.UsageError, match="give a class derived from Constraint"):
        constraints.register("own", object)
