"""Confidence intervals of scores: percentile intervals of the bootstrap (Efron 1979).

The unit is the sentence, because errors within a sentence are not independent. Each round draws as many sentences as
there are, with replacement. Two systems get the same draws, so the interval of their difference does not include the
variation between easy and hard sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import UsageError
from gardenpath.evaluation.layout import Integers
from gardenpath.evaluation.sampling import Runs, as_runs, portions, totals

Interval = tuple[float, float]
Numbers = NDArray[np.float64]


class Intervals(NamedTuple):
    """The intervals of two scores in per cent, and of the second minus the first in percentage points."""

    first: Interval
    second: Interval
    difference: Interval


def bootstrap_interval(
    runs: Runs, *, metric: str = "las", level: float = 0.95, rounds: int = 1000, seed: int = 1,
) -> Interval:
    """Return the interval of a score in per cent. Several runs of a system are pooled."""
    right, whole = totals(as_runs(runs), metric)
    return _interval(_rates(np.column_stack([right, whole]), rounds, seed)[:, 0], level)


def intervals_by_metric(
    first: Runs, second: Runs, metrics: Sequence[str], *, level: float = 0.95, rounds: int = 1000, seed: int = 1,
) -> dict[str, Intervals]:
    """Return the intervals of the scores of two systems and of their difference for each metric.

    Both systems must be evaluated on the same gold sentences. All intervals come from the same draws.
    """
    counts = [column for metric in metrics for runs in (first, second) for column in totals(as_runs(runs), metric)]
    rates = _rates(np.column_stack(counts), rounds, seed)
    pairs = zip(rates[:, ::2].T, rates[:, 1::2].T, strict=True)
    return {
        metric: Intervals(_interval(one, level), _interval(other, level), _interval(other - one, level))
        for metric, (one, other) in zip(metrics, pairs, strict=True)
    }


def _rates(counts: Integers, rounds: int, seed: int) -> Numbers:
    """Return the rates of each round in per cent. The columns of `counts` are pairs of correct and total counts."""
    sentences = len(counts)
    random = np.random.default_rng(seed)
    sums = []
    for size in portions(rounds, sentences):
        drawn = random.integers(0, sentences, (size, sentences)) + sentences * np.arange(size)[:, np.newaxis]
        times = np.bincount(drawn.ravel(), minlength=size * sentences).reshape(size, sentences)
        # Whole numbers far below 2**53 are exact as floats, and the product of floats is much faster.
        sums.append(times.astype(float) @ counts.astype(float))
    every = np.concatenate(sums)
    return 100 * every[:, ::2] / every[:, 1::2]


def _interval(values: Numbers, level: float) -> Interval:
    if not 0 < level < 1:
        raise UsageError(f"level must be between 0 and 1, not {level}; use for example 0.95")
    low, high = np.quantile(values, ((1 - level) / 2, (1 + level) / 2))
    return float(low), float(high)
