"""Opportunities to repair, and their outcomes (Honnibal, Goldberg and Johnson, CoNLL 2013, table 2).

An opportunity is a repair of one kind that is valid in a configuration on the parser's path, where at least one other
transition is valid too. A transition *loses nothing* if no valid transition has a lower cost. A repair is *right* if
training accepts it and the arc that it builds, if any, is gold. Each opportunity has exactly one outcome:

    true positive     the parser made the repair, and it was right
    false positive    it made the repair, which lost something
    even              it made the repair, which lost nothing and was not right
    false negative    the repair was right, and the parser made another transition, which training does not accept
    true negative     it made another transition, which loses nothing, and this is not a false negative
    other             it made another transition, which loses something, and no repair of this kind was right
"""

from __future__ import annotations

from dataclasses import asdict, astuple, dataclass

from gardenpath.evaluation.scores import percent
from gardenpath.systems import TransitionSystem


@dataclass(slots=True)
class Outcomes:
    """The number of opportunities by outcome."""

    true_positive: int = 0
    false_positive: int = 0
    even: int = 0
    false_negative: int = 0
    true_negative: int = 0
    other: int = 0

    @property
    def opportunities(self) -> int:
        """The number of all opportunities."""
        return sum(astuple(self))

    @property
    def precision(self) -> float:
        """The share of the repairs made that were right, in per cent."""
        return percent(self.true_positive, self.true_positive + self.false_positive + self.even)

    @property
    def recall(self) -> float:
        """The share of the necessary repairs that were made, in per cent."""
        return percent(self.true_positive, self.true_positive + self.false_negative)

    def add(self, outcome: str) -> None:
        """Count one more opportunity with this outcome."""
        setattr(self, outcome, getattr(self, outcome) + 1)

    def __add__(self, more: Outcomes) -> Outcomes:
        return Outcomes(*(mine + other for mine, other in zip(astuple(self), astuple(more), strict=True)))

    def to_dict(self) -> dict[str, int]:
        """Return the counts as plain values."""
        return asdict(self)


def can_repair(system: TransitionSystem) -> bool:
    """Return whether the system has transitions that undo an earlier decision."""
    return bool(system.repairing)
