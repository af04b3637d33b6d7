"""How often a static oracle swaps on its way to a tree."""

from gardenpath.core.configuration cimport NONE
from gardenpath.core.moves cimport SWAP
from gardenpath.oracles.base cimport GoldTree, Oracle
from gardenpath.systems.base cimport Configuration


def count_swaps(Oracle oracle, heads):
    """The number of Swaps in the derivation that a static oracle names, up to where it ends or can go no further."""
    cdef GoldTree tree = GoldTree(heads)
    cdef Configuration c = Configuration(tree.gold.n)
    cdef int move, swaps = 0
    oracle.system.start(&c.c)
    while not oracle.system.is_terminal(&c.c):
        move = oracle.static_move(&c.c, &tree.gold)
        if not oracle.system.is_permitted(&c.c, move):
            break
        swaps += move == SWAP
        oracle.system.apply_move(&c.c, move, NONE)
    return swaps
