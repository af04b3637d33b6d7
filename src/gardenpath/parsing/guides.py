"""Guides: functions that choose transitions in a trace, in place of the parser.

A guide is called with every configuration. It returns the name of a transition and a label, or None to leave the choice
to the parser. If the label is None, the parser chooses it.
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
    """Return the name and the label of a transition that is written as `reduce` or `right-arc(obj)`."""
    found = _MOVE.fullmatch(move)
    if not found:
        raise UsageError(f"{move!r} is not a transition; write reduce, or right-arc(obj) with a label")
    return found[1].lower(), found[2]


def by_oracle(oracle: Oracle, gold: Sequence[int], labels: Sequence[str]) -> Guide:
    """Return a guide that follows an oracle.

    It makes the alphabetically first transition that the oracle accepts, with the gold label if it builds a gold arc.
    """

    def guide(c: Configuration) -> Named:
        move = oracle.training(c, gold)[0]
        arc = oracle.system.arc(c, move)
        return move, labels[arc[1] - 1] if arc and gold[arc[1] - 1] == arc[0] else None

    return guide


def by_moves(moves: Sequence[Named | str], then: Guide | None = None) -> Guide:
    """Return a guide that makes these transitions. The guide `then`, or else the parser, makes the following ones.

    A transition is a string such as `"reduce"` or `"right-arc(obj)"`, or a pair of a name and a label or None.
    """
    waiting = [read_move(move) if isinstance(move, str) else move for move in reversed(moves)]

    def guide(c: Configuration) -> Named | None:
        if waiting:
            return waiting.pop()
        return then(c) if then else None

    return guide
