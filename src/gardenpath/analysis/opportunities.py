"""Opportunities to repair, and what a parser made of them (Honnibal, Goldberg and Johnson, CoNLL 2013, table 2).

An opportunity is a repair of one kind that is permitted in a configuration on the parser's path, together with another move: without a choice there is
nothing to be right or wrong about. A move *loses nothing* if no permitted move costs less. A repair is *right* if training accepts it and the arc that it
builds, if it builds one, is gold. Each opportunity is exactly one of these:

    true positive     the parser repaired, and the repair was right
    false positive    it repaired, and that lost something
    even              it repaired, and that lost nothing and was not right either
    false negative    the repair was right, and the parser made another move, which training does not accept
    true negative     the parser made another move, which loses nothing, and is no false negative
    other             it made another move, which loses something, and no repair of this kind was right
"""

from __future__ import annotations

from dataclasses import asdict, astuple, dataclass

from gardenpath.evaluation.scores import percent
from gardenpath.systems import TransitionSystem


@dataclass(slots=True)
class Outcomes:
    """How many opportunities had which outcome."""

    true_positive: int = 0
    false_positive: int = 0
    even: int = 0
    false_negative: int = 0
    true_negative: int = 0
    other: int = 0

    @property
    def opportunities(self) -> int:
        """All of them."""
        return sum(astuple(self))

    @property
    def precision(self) -> float:
        """How many of the repairs that were made were right, in per cent."""
        return percent(self.true_positive, self.true_positive + self.false_positive + self.even)

    @property
    def recall(self) -> float:
        """How many of the repairs that had to be made were made, in per cent."""
        return percent(self.true_positive, self.true_positive + self.false_negative)

    def add(self, outcome: str) -> None:
        """Count one more."""
        setattr(self, outcome, getattr(self, outcome) + 1)

    def __add__(self, more: Outcomes) -> Outcomes:
        return Outcomes(*(mine + other for mine, other in zip(astuple(self), astuple(more), strict=True)))

    def to_dict(self) -> dict[str, int]:
        """The counts as plain values."""
        return asdict(self)


def can_repair(system: TransitionSystem) -> bool:
    """Are there moves of the system that take back an earlier decision?"""
    return bool(system.repairing)
