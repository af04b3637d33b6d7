"""Counting the Swaps of the derivations that static oracles name."""

from gardenpath.core.configuration cimport NONE
from gardenpath.core.moves cimport SWAP
from gardenpath.oracles.base cimport GoldTree, Oracle
from gardenpath.systems.base cimport Configuration, require_progress

from gardenpath.oracles.swap import SwapOracle
from gardenpath.systems.swap import Swap


SWAPPING = ("lazy", "eager")


def swapping_oracles():
    """Return the static oracles that Swaps are counted for, by kind."""
    return {kind: SwapOracle(Swap(), kind) for kind in SWAPPING}


def count_swaps(Oracle oracle, heads):
    """Return the number of Swaps in the derivation that a static oracle names, up to where it ends or gets stuck."""
    cdef GoldTree tree = GoldTree(heads)
    cdef Configuration c = Configuration(tree.gold.n)
    cdef int move, swaps = 0
    cdef long made = 0, limit = oracle.system.limit(tree.gold.n)
    oracle.system.start(&c.c)
    while not oracle.system.is_terminal(&c.c):
        move = oracle.static_move(&c.c, &tree.gold)
        if not oracle.system.is_permitted(&c.c, move):
            break
        require_progress(oracle.system, &c.c, 1, made, limit)
        swaps += move == SWAP
        oracle.system.apply_move(&c.c, move, NONE)
        made += 1
    return swaps
