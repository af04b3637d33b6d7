"""Guides: who says which move a parse that is traced makes next, in place of the parser.

A guide is asked in every configuration. It names a move, and its label (None: the one that the parser likes best), or answers None: the parser decides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gardenpath.oracles import Oracle
from gardenpath.systems import Configuration

Named = tuple[str, str | None]
Guide = Callable[[Configuration], Named | None]


def by_oracle(oracle: Oracle, gold: Sequence[int], labels: Sequence[str]) -> Guide:
    """A guide that names the oracle's first move each time, and the gold label of a gold arc."""
    def guide(c: Configuration) -> Named:
        move = oracle.training(c, gold)[0]
        arc = oracle.system.arc(c, move)
        return move, labels[arc[1] - 1] if arc and gold[arc[1] - 1] == arc[0] else None

    return guide


def by_moves(moves: Sequence[Named], then: Guide | None = None) -> Guide:
    """A guide that names these moves, one after the other, and leaves what follows to another, or to the parser."""
    waiting = list(reversed(moves))

    def guide(c: Configuration) -> Named | None:
        if waiting:
            return waiting.pop()
        return then(c) if then else None

    return guide
