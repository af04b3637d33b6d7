"""Everything there is up to a few words: trees, configurations, and the trees that can still be reached from them."""

from __future__ import annotations

import itertools
from functools import cache

import gardenpath as gp
from twins import ROOT_LAST, SINGLE_ROOT, Twin


@cache
def projective_trees(n: int, single_root: bool = False) -> list[tuple[int, ...]]:
    """Every projective tree of n words, by definition: all words lead to the root, and no arcs cross wherever the root stands."""
    return [
        heads for heads in itertools.product(range(n + 1), repeat=n)
        if all(_leads_to_root(heads, word) for word in range(1, n + 1)) and not _crossing(heads) and (heads.count(0) == 1 or not single_root)
    ]


def gold_trees(system: str, n: int) -> list[tuple[int, ...]]:
    """The trees a system is asked about: those with one root where it makes no others."""
    return projective_trees(n, system in SINGLE_ROOT)


def random_projective_tree(rng, n: int) -> list[int]:
    """A projective tree with one root: each part of the sentence hangs by one of its words."""
    heads = [0] * (n + 1)

    def hang(first: int, last: int, head: int) -> None:
        while first <= last:
            end = rng.randint(first, last)
            word = rng.randint(first, end)
            heads[word] = head
            hang(first, word - 1, word)
            hang(word + 1, end, word)
            first = end + 1

    root = rng.randint(1, n)
    hang(1, root - 1, root)
    hang(root + 1, n, root)
    return heads[1:]


@cache
def reachable(name: str, n: int) -> list[gp.systems.Configuration]:
    """Every configuration that the compiled system can reach over n words, final ones included."""
    system = gp.systems.get(name)
    found = {}
    waiting = [system.initial(n)]
    while waiting:
        c = waiting.pop()
        if c.key() in found:
            continue
        found[c.key()] = c
        waiting += [after(system, c, move) for move in system.valid(c)]
    return list(found.values())


def after(system, c, move: str):
    """The configuration a move leads to; `c` stays as it is."""
    c = c.copy()
    system.apply(c, move)
    return c


@cache
def reachable_twins(name: str, n: int) -> dict[tuple, Twin]:
    """The same by the twin."""
    found = {}
    waiting = [Twin(name, n)]
    while waiting:
        twin = waiting.pop()
        if twin.key() not in found:
            found[twin.key()] = twin
            waiting += [twin.copy().apply(move) for move in twin.valid()]
    return found


@cache
def final_trees(name: str, n: int) -> dict[tuple, frozenset[tuple[int, ...]]]:
    """By configuration of the twin: the trees that can still be reached."""
    twins = reachable_twins(name, n)
    found: dict[tuple, frozenset[tuple[int, ...]]] = {}

    def of(key: tuple) -> frozenset[tuple[int, ...]]:
        if key not in found:
            twin = twins[key]
            following = [of(twin.copy().apply(move).key()) for move in twin.valid()]
            found[key] = frozenset.union(*following) if following else frozenset([tuple(twin.heads())])
        return found[key]

    for key in twins:
        of(key)
    return found


def least_loss(trees, gold) -> int:
    """The fewest wrong heads in any of the trees."""
    return min(sum(a != b for a, b in zip(tree, gold, strict=True)) for tree in trees)


def _leads_to_root(heads, word: int) -> bool:
    for _ in heads:
        if word:
            word = heads[word - 1]
    return word == 0


def _crossing(heads) -> bool:
    """Do two arcs cross? Arcs from the root are drawn from before the first word and from behind the last one; either will do."""
    for root in (0, len(heads) + 1):
        arcs = [sorted((word, head or root)) for word, head in enumerate(heads, 1)]
        if any(a < c < b < d for (a, b), (c, d) in itertools.permutations(arcs, 2)):
            return True
    return False


__all__ = [
    "ROOT_LAST", "SINGLE_ROOT", "Twin", "after", "final_trees", "gold_trees", "least_loss", "projective_trees", "random_projective_tree", "reachable",
    "reachable_twins",
]
