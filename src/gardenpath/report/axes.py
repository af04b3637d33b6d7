"""Axes of plots: map values to positions between 0 and 1, with round ticks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

MARGIN = 0.06          # share of the range, at either end
FACTOR = 1.15          # the same for a logarithmic axis, as a factor
ROUND = (1, 2, 5, 10)


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis from `low` to `high`, with ticks and their labels."""

    low: float
    high: float
    ticks: list[tuple[float, str]]
    logarithmic: bool = False

    def place(self, value: float) -> float:
        """Return the position of a value: 0 at the low end, 1 at the high end."""
        if self.logarithmic:
            return log10(value / self.low) / log10(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


def linear(values: Iterable[float], ticks: int = 6) -> Axis:
    """Return an axis with room for the values and about `ticks` ticks."""
    known = list(values)
    low, high = min(known), max(known)
    margin = MARGIN * (high - low) or 0.5
    low, high = low - margin, high + margin
    step = _round_step((high - low) / ticks)
    decimals = max(0, -floor(log10(step)))
    places = [i * step + 0.0 for i in range(ceil(low / step), floor(high / step) + 1)]
    return Axis(low, high, [(place, f"{place:,.{decimals}f}".replace("-", "−")) for place in places])


def logarithmic(values: Iterable[float]) -> Axis:
    """Return a logarithmic axis for values above 0, with ticks at 1, 2 and 5 times powers of ten.

    A short axis has the ticks of a linear one.
    """
    known = list(values)
    low, high = min(known) / FACTOR, max(known) * FACTOR
    ticks = [digit * 10.0**power for power in range(floor(log10(low)), ceil(log10(high)) + 1) for digit in (1, 2, 5)]
    inside = [(tick, f"{tick:,.0f}") for tick in ticks if low <= tick <= high]
    if len(inside) < 4:
        inside = [tick for tick in linear([low, high]).ticks if low <= tick[0] <= high]
    return Axis(low, high, inside, logarithmic=True)


def categories(names: Sequence[str]) -> Axis:
    """Return an axis of names, each in the middle of its interval."""
    return Axis(-0.5, len(names) - 0.5, [(i, name) for i, name in enumerate(names)])


def _round_step(least: float) -> float:
    power = 10.0 ** floor(log10(least))
    return power * next(digit for digit in ROUND if digit * power >= least * 0.999)
