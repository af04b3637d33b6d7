"""Compare the oracle of arc-hybrid with exhaustive search, on every configuration of every tree of up to four words."""

from itertools import product

from arc_hybrid import ArcHybrid, ArcHybridOracle

import gardenpath as gp
from gardenpath import trees

gp.systems.register(ArcHybrid)
gp.oracles.register("arc-hybrid", ArcHybridOracle)


def configurations(system, n):
    """Return all reachable configurations over n words."""
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
    found = (heads for heads in product(range(n + 1), repeat=n) if trees.is_tree(heads, single_root=single_root))
    return [heads for heads in found if trees.is_projective(heads)]


def check(single_root):
    """Compare losses and costs; return the number of costs."""
    oracle = gp.oracles.get("arc-hybrid", "dynamic", single_root=single_root)
    search = gp.oracles.get("arc-hybrid", "exact", single_root=single_root)
    compared = 0
    for n in range(1, 5):
        reached = configurations(oracle.system, n)
        for gold in gold_trees(n, single_root):
            assert gp.oracles.get("arc-hybrid", "static", single_root=single_root).derives(gold), gold
            for c in reached:
                assert oracle.loss(c, gold) == search.loss(c, gold), (c, gold)
                assert oracle.costs(c, gold) == search.costs(c, gold), (c, gold)
                compared += len(oracle.costs(c, gold))
    return compared


for single_root in (False, True):
    print(f"single_root={single_root}: {check(single_root)} costs equal exhaustive search")
