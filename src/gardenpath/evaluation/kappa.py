"""Cohen's kappa (1960): the agreement of two annotators, corrected for chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

Category = TypeVar("Category", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Kappa:
    """The observed agreement of two annotators and the agreement that is expected by chance, from 0 to 1."""

    observed: float
    expected: float
    items: int

    @property
    def value(self) -> float | None:
        """Kappa: 1 for perfect agreement, 0 for agreement by chance. None if there is nothing to disagree about."""
        return None if self.expected >= 1 else (self.observed - self.expected) / (1 - self.expected)


def cohen(first: Sequence[Hashable], second: Sequence[Hashable]) -> Kappa:
    """Return the kappa of two annotations of the same items.

    Chance is the probability that two annotators with these frequencies of categories choose the same one.
    """
    items = len(first)
    if not items:
        return Kappa(1.0, 1.0, 0)
    observed = sum(one == other for one, other in zip(first, second, strict=True)) / items
    counts, others = Counter(first), Counter(second)
    expected = sum(count * others[category] for category, count in counts.items()) / items**2
    return Kappa(observed, expected, items)


def cohen_by_category(first: Sequence[Category], second: Sequence[Category]) -> dict[Category, Kappa]:
    """Return the kappa of the decision for or against each category, the most frequent category first."""
    counts = Counter(first) + Counter(second)
    both = Counter(one for one, other in zip(first, second, strict=True) if one == other)
    totals, others = Counter(first), Counter(second)
    return {
        category: _of_two(both[category], totals[category], others[category], len(first))
        for category, _ in sorted(counts.items(), key=lambda item: (-item[1], str(item[0])))
    }


def _of_two(both: int, first: int, second: int, items: int) -> Kappa:
    """Return the kappa of a decision that the annotators make `first` and `second` times, and `both` together."""
    observed = (items - first - second + 2 * both) / items
    expected = (first * second + (items - first) * (items - second)) / items**2
    return Kappa(observed, expected, items)
