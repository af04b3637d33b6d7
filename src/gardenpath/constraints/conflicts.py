"""Given heads that contradict each other or the transition system."""

from __future__ import annotations

from collections.abc import Sequence

from gardenpath.constraints.base import Constraint, GivenArcs
from gardenpath.interruption import check
from gardenpath.trees import Problem, find_problems


def consistent_arcs(
    heads: Sequence[int | None], constraint: Constraint, *, single_root: bool, labels: Sequence[int] | None = None,
) -> GivenArcs | None:
    """Return the given arcs, None if no tree that the system can build has them."""
    if any(head is not None and (head > len(heads) or head == word) for word, head in enumerate(heads, 1)):
        return None
    arcs = GivenArcs(heads, labels)
    return arcs if constraint.is_consistent(arcs, single_root) else None


def has_conflict(heads: Sequence[int | None], constraint: Constraint, *, single_root: bool) -> bool:
    """Return whether no tree that the system can build has the given heads."""
    return consistent_arcs(heads, constraint, single_root=single_root) is None


def find_conflict(heads: Sequence[int | None], constraint: Constraint, *, single_root: bool) -> Problem:
    """Return the first reason why no tree that the system can build has the given heads."""
    found = find_problems(heads, single_root=single_root, partial=True)
    if found:
        return found[0]
    word = without_conflicts(heads, constraint, single_root=single_root)[1][0]
    system = constraint.system
    relation = "crosses" if system.is_projective else "does not fit"
    arc = f"the arc from {heads[word - 1]} to word {word}"
    fault = f"{arc} {relation} other given arcs, and {system.name} cannot build such trees"
    return Problem(word, fault, "change a HEAD, use a model of a system that can build all trees")


def without_conflicts(
    heads: Sequence[int | None], constraint: Constraint, *, single_root: bool
) -> tuple[list[int | None], list[int]]:
    """Return the given heads without those that contradict earlier ones, and the words whose heads are dropped."""
    kept, dropped, agreeing = list(heads), [], 0
    while has_conflict(kept, constraint, single_root=single_root):
        conflicting = len(kept)
        while conflicting - agreeing > 1:          # the first `agreeing` heads agree, the first `conflicting` do not
            check()
            middle = (agreeing + conflicting) // 2
            first = kept[:middle] + [None] * (len(kept) - middle)
            if has_conflict(first, constraint, single_root=single_root):
                conflicting = middle
            else:
                agreeing = middle
        agreeing = conflicting
        kept[agreeing - 1] = None
        dropped.append(agreeing)
    return kept, dropped
