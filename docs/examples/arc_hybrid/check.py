"""Compare the oracles of arc-hybrid with exhaustive search: every tree of up to four words, in every configuration."""

from itertools import product

import arc_hybrid_python
from arc_hybrid import ArcHybrid, ArcHybridOracle

import gardenpath as gp
from gardenpath import trees

gp.systems.register(ArcHybrid)
gp.oracles.register("arc-hybrid", ArcHybridOracle)


def configurations(system, n):
    """Return all configurations over n words that can be reached."""
    found, waiting = {}, [system.initial(n)]
    while waiting:
        c = waiting.pop()
        if c.key() not in found:
            found[c.key()] = c
            for move in system.valid(c):
                after = c.copy()
                system.apply(after, move)
                waiting.append(after)
    return list(found.values())


def gold_trees(n, single_root):
    """Return every projective tree of n words, with one root or with several."""
    every = product(range(n + 1), repeat=n)
    return [heads for heads in every if trees.is_tree(heads, single_root=single_root) and trees.is_projective(heads)]


def check(name, single_root):
    """Compare losses and costs, and return their number."""
    oracle = gp.oracles.get(name, "dynamic", single_root=single_root)
    search = gp.oracles.get(name, "exact", single_root=single_root)
    compared = 0
    for n in range(1, 5):
        reached = configurations(oracle.system, n)
        for gold in gold_trees(n, single_root):
            assert gp.oracles.get(name, "static", single_root=single_root).derives(gold), gold
            for c in reached:
                assert oracle.loss(c, gold) == search.loss(c, gold), (c, gold)
                assert oracle.costs(c, gold) == search.costs(c, gold), (c, gold)
                compared += len(oracle.costs(c, gold))
    return compared


for name, single_root in product(("arc-hybrid", arc_hybrid_python.ArcHybrid.name), (False, True)):
    print(f"{name}, single_root={single_root}: {check(name, single_root)} costs equal those of the search")
