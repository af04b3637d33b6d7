"""What spoke for a transition: the contributions of the inputs to the difference between two scores."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """An input of a scorer, and its contribution to the difference between the scores of two transitions.

    A perceptron has one input for each feature, a network has the words in its slots and their labels.
    """

    input: str                  # template or slot, such as `S0w N0w` or `S0`
    value: str                  # its value, such as `saw, Jack`
    words: tuple[int, ...]      # the words that it looks at; 0 is the root
    contribution: float         # positive if it speaks for the transition


@dataclass(frozen=True, slots=True)
class Comparison:
    """A transition compared with another valid one. The contributions of all reasons add up to the margin."""

    move: str                   # the other transition
    label: str | None
    margin: float               # the score of the transition minus that of the other
    reasons: list[Reason]       # the largest absolute contribution first

    @property
    def text(self) -> str:
        """The other transition in printed form, such as `RIGHT-ARC(obj)`."""
        return printed(self.move, self.label)


def printed(move: str, label: str | None) -> str:
    """Return a transition in printed form, such as `LEFT-ARC(nsubj)`."""
    return move.upper() + (f"({label})" if label else "")
