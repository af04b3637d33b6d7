"""Exhaustive lists for short sentences: trees, configurations, and the trees that can be reached from them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np

import gardenpath as gp
from twins import COVINGTON, MODES, REORDERING, ROOT_FIRST, ROOT_LAST, SINGLE_ROOT, Mode, Twin, twin_of


@cache
def all_trees(n: int, single_root: bool = False) -> list[tuple[int, ...]]:
    """Return every tree of n words, by definition: the root is an ancestor of all words."""
    trees = itertools.product(range(n + 1), repeat=n)
    return [
        heads
        for heads in trees
        if all(_leads_to_root(heads, word) for word in range(1, n + 1)) and (heads.count(0) == 1 or not single_root)
    ]


@cache
def projective_trees(n: int, single_root: bool = False) -> list[tuple[int, ...]]:
    """Return the trees without crossing arcs, with the root first or last."""
    return [heads for heads in all_trees(n, single_root) if not _crossing(heads)]


def gold_trees(mode: Mode, n: int) -> list[tuple[int, ...]]:
    """Return the trees to test a system with: all trees, projective trees or trees with one root, by what it builds."""
    return (projective_trees if mode.projective else all_trees)(n, mode.one_root)


def random_tree(rng, n: int) -> list[int]:
    """Return a random tree with one root."""
    words = rng.sample(range(1, n + 1), n)
    heads = {word: rng.choice(words[:i]) if i else 0 for i, word in enumerate(words)}
    return [heads[word] for word in range(1, n + 1)]


def random_projective_tree(rng, n: int) -> list[int]:
    """Return a random projective tree with one root."""
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


def system_of(mode: Mode) -> gp.systems.TransitionSystem:
    """Return the compiled system."""
    return gp.systems.get(mode.name, single_root=mode.single_root)


def oracle_of(mode: Mode, kind: str = "dynamic", **options) -> gp.oracles.Oracle:
    """Return its oracle."""
    return gp.oracles.get(mode.name, kind, single_root=mode.single_root, **options)


def play(mode: Mode, n: int, moves: list[str]) -> tuple[gp.oracles.Oracle, gp.systems.Configuration]:
    """Return the dynamic oracle and the configuration over n words after these transitions."""
    oracle = oracle_of(mode)
    c = oracle.system.initial(n)
    for move in moves:
        oracle.system.apply(c, move)
    return oracle, c


def static_path(mode: Mode, gold: Sequence[int], kind: str = "static") -> list[str]:
    """Return the transitions of a static oracle, which build the tree."""
    oracle = oracle_of(mode, kind)
    c, moves = oracle.system.initial(len(gold)), []
    while not oracle.system.is_final(c):
        [move] = oracle.training(c, gold)
        moves.append(move)
        oracle.system.apply(c, move)
    assert c.heads == list(gold)
    return moves


@cache
def reachable(mode: Mode, n: int) -> list[gp.systems.Configuration]:
    """Return every configuration that the compiled system can reach over n words, final ones included."""
    system = system_of(mode)
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
    """Return the configuration after a transition; `c` does not change."""
    c = c.copy()
    system.apply(c, move)
    return c


@cache
def with_twins(mode: Mode, n: int) -> list[tuple[gp.systems.Configuration, Twin]]:
    """Return every configuration of the twin with the compiled one after the same transitions."""
    system = system_of(mode)
    found, waiting = {}, [(system.initial(n), twin_of(mode, n))]
    while waiting:
        c, twin = waiting.pop()
        if twin.key() not in found:
            found[twin.key()] = c, twin
            waiting += [(after(system, c, move), twin.after(move)) for move in twin.valid()]
    return list(found.values())


@cache
def reachable_twins(mode: Mode, n: int) -> dict[tuple, Twin]:
    """Return every configuration that the twin can reach."""
    found = {}
    waiting = [twin_of(mode, n)]
    while waiting:
        twin = waiting.pop()
        if twin.key() not in found:
            found[twin.key()] = twin
            waiting += [twin.after(move) for move in twin.valid()]
    return found


@cache
def final_trees(mode: Mode, n: int) -> dict[tuple, frozenset[tuple[int, ...]]]:
    """Return, by configuration of the twin, the trees that can still be reached."""
    twins = reachable_twins(mode, n)
    found: dict[tuple, frozenset[tuple[int, ...]]] = {}

    def of(key: tuple) -> frozenset[tuple[int, ...]]:
        if key not in found:
            following = [of(twins[key].after(move).key()) for move in twins[key].valid()]
            found[key] = frozenset.union(*following) if following else frozenset([tuple(twins[key].heads())])
        return found[key]

    for key in twins:
        of(key)
    return found


@cache
def losses(mode: Mode, n: int) -> dict[tuple, list[int]]:
    """Return, by configuration of the twin and for each gold tree, the fewest wrong heads in any reachable tree."""
    gold = np.array(gold_trees(mode, n))
    return {
        key: (np.array(list(trees))[:, None] != gold).sum(axis=2).min(axis=0).tolist()
        for key, trees in final_trees(mode, n).items()
    }


def losses_and_costs(
    mode: Mode, n: int
) -> Iterator[tuple[gp.systems.Configuration, tuple[int, ...], int, dict[str, int]]]:
    """Yield every configuration with every gold tree: the loss, and what each valid transition adds to it."""
    known = losses(mode, n)
    places = [
        (c, known[twin.key()], {move: known[twin.after(move).key()] for move in twin.valid()})
        for c, twin in with_twins(mode, n)
    ]
    for i, gold in enumerate(gold_trees(mode, n)):
        for c, here, there in places:
            yield c, gold, here[i], {move: loss[i] - here[i] for move, loss in there.items()}


@cache
def ways(mode: Mode, n: int) -> dict[tuple, list[tuple[int, int, tuple]]]:
    """Return, for systems that never change heads, the arc and the rest after each transition, by rest."""
    found: dict[tuple, list[tuple[int, int, tuple]]] = {}

    def visit(twin: Twin) -> None:
        if twin.rest() not in found:
            moves = []
            for move in twin.valid():
                following = twin.after(move)
                visit(following)
                child = next(iter(following.head.keys() - twin.head.keys()), 0)
                moves.append((child, following.head.get(child, 0), following.rest()))
            found[twin.rest()] = moves

    visit(twin_of(mode, n))
    return found


def future_losses(mode: Mode, trees) -> dict[tuple, np.ndarray]:
    """Return, by rest and for each tree, the fewest wrong heads among the words without a head."""
    gold = np.insert(np.array(trees), 0, 0, axis=1)
    found: dict[tuple, np.ndarray] = {}
    for rest, moves in ways(mode, gold.shape[1] - 1).items():
        following = [(gold[:, child] != head) + found[left] for child, head, left in moves]
        found[rest] = np.min(following, axis=0) if following else np.zeros(len(gold), dtype=int)
    return found


@cache
def derivable(mode: Mode, n: int) -> set[tuple[int, ...]]:
    """Return the trees that the system can build."""
    if mode.projective:
        return set(projective_trees(n, mode.one_root))
    if mode.name in COVINGTON:
        return set(all_trees(n))
    start = future_losses(mode, all_trees(n, mode.one_root))[twin_of(mode, n).rest()]
    return {gold for gold, loss in zip(all_trees(n, mode.one_root), start, strict=True) if loss == 0}


def _leads_to_root(heads, word: int) -> bool:
    for _ in heads:
        if word:
            word = heads[word - 1]
    return word == 0


def _crossing(heads) -> bool:
    """Return whether two arcs cross, with the root before the first word and with the root after the last one."""
    for root in (0, len(heads) + 1):
        arcs = [sorted((word, head or root)) for word, head in enumerate(heads, 1)]
        if any(a < c < b < d for (a, b), (c, d) in itertools.permutations(arcs, 2)):
            return True
    return False


__all__ = [
    "COVINGTON",
    "MODES",
    "REORDERING",
    "ROOT_FIRST",
    "ROOT_LAST",
    "SINGLE_ROOT",
    "Mode",
    "Twin",
    "after",
    "all_trees",
    "derivable",
    "final_trees",
    "future_losses",
    "gold_trees",
    "losses",
    "losses_and_costs",
    "oracle_of",
    "play",
    "projective_trees",
    "random_projective_tree",
    "random_tree",
    "reachable",
    "reachable_twins",
    "static_path",
    "system_of",
    "twin_of",
    "ways",
    "with_twins",
]
