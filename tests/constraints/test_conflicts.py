"""Contradictions among given heads, against slow twins."""

from __future__ import annotations

import random

import gardenpath as gp
from gardenpath import constraints
from gardenpath.constraints.conflicts import has_conflict, without_conflicts

CONSTRAINT = constraints.of(gp.systems.for_parsing("arc-eager", single_root=False))


def conflicts(given: list[int | None]) -> bool:
    return has_conflict(given, CONSTRAINT, single_root=False)


def some_heads(rng: random.Random, n: int) -> list[int | None]:
    share = rng.random()
    return [
        rng.choice([head for head in range(n + 1) if head != word]) if rng.random() < share else None
        for word in range(1, n + 1)
    ]


def ancestors(given: list[int | None], word: int) -> list[int]:
    """Return a word and its ancestors by given arcs; there is a cycle if the last one is among the others."""
    found = [word]
    while found[-1] and (head := given[found[-1] - 1]) is not None and found[-1] not in found[:-1]:
        found.append(head)
    return found


def slow_conflict(given: list[int | None]) -> bool:
    """Look at all pairs of arcs, and of arcs and words."""
    words = range(1, len(given) + 1)
    chains = {word: ancestors(given, word) for word in words}
    if any(chain[-1] in chain[:-1] for chain in chains.values()):
        return True
    arcs = [(head, word, *sorted((head, word))) for word, head in enumerate(given, 1) if head]
    for head, _, first, last in arcs:
        if chains[head][-1] in range(first + 1, last) or 0 in given[first:last - 1]:
            return True
        if any(first < start < last < end for *_, start, end in arcs):
            return True
    return False


def test_arcs_are_checked_as_by_pairs():
    rng, found = random.Random(1), {False: 0, True: 0}
    for _ in range(4000):
        given = some_heads(rng, rng.randint(1, 9))
        expected = slow_conflict(given)
        assert conflicts(given) is expected, given
        found[expected] += 1
    assert min(found.values()) > 500


def test_heads_are_dropped_from_left_to_right():
    rng = random.Random(2)
    for _ in range(500):
        given = some_heads(rng, rng.randint(1, 9))
        kept: list[int | None] = [None] * len(given)
        for place, head in enumerate(given):
            kept[place] = head
            if conflicts(kept):
                kept[place] = None
        dropped = [word for word, (old, new) in enumerate(zip(given, kept, strict=True), 1) if old != new]
        assert without_conflicts(given, CONSTRAINT, single_root=False) == (kept, dropped), given


def test_long_chains_are_checked():
    n = 200_000                                        # a quadratic check would take minutes
    assert not conflicts([0, *range(1, n)])
    assert not conflicts([*range(2, n + 1), 0])
    assert conflicts([*range(2, n + 1), 1])
