"""Guides: who says which move a parse that is traced makes next, in place of the parser.

A guide is asked in every configuration. It names a move, and its label (None: the one that the parser likes best), or answers None: the parser decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from gardenpath.errors import UsageError
from gardenpath.oracles import Oracle
from gardenpath.systems import Configuration

Named = tuple[str, str | None]
Guide = Callable[[Configuration], Named | None]

_MOVE = re.compile(r"([a-z0-9:-]+)(?:\((.+)\))?", re.IGNORECASE)


def read_move(move: str) -> Named:
    """A move as it is written, `reduce` or `right-arc(obj)`, as its name and its label."""
    found = _MOVE.fullmatch(move)
    if not found:
        raise UsageError(f"{move!r} is no move; write reduce, or right-arc(obj) with a label")
    return found[1].lower(), found[2]


def by_oracle(oracle: Oracle, gold: Sequence[int], labels: Sequence[str]) -> Guide:
    """A guide that names the oracle's first move each time, and the gold label of a gold arc."""
    def guide(c: Configuration) -> Named:
        move = oracle.training(c, gold)[0]
        arc = oracle.system.arc(c, move)
        return move, labels[arc[1] - 1] if arc and gold[arc[1] - 1] == arc[0] else None

    return guide


def by_moves(moves: Sequence[Named | str], then: Guide | None = None) -> Guide:
    """A guide that names these moves, one after the other, and leaves what follows to another, or to the parser.

    A move is written `"reduce"` or `"right-arc(obj)"`, or is a pair of its name and its label or None.
    """
    waiting = [read_move(move) if isinstance(move, str) else move for move in reversed(moves)]

    def guide(c: Configuration) -> Named | None:
        if waiting:
            return waiting.pop()
        return then(c) if then else None

    return guide
