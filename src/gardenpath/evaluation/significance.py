"""Whether a difference between two systems means anything, and how far a score can be trusted.

Two systems are compared by paired approximate randomisation (Yeh, COLING 2000): if they were equally good, it would not matter which of them a
sentence's output came from, so we swap sentences at random many times and see how often the difference is at least as large as the observed one.
Intervals come from the bootstrap over sentences (Efron 1979). The unit is the sentence, as errors within one are not independent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from gardenpath.errors import UsageError
from gardenpath.evaluation.attachment import Attachment
from gardenpath.evaluation.layout import Integers
from gardenpath.evaluation.scores import percent

COUNTS = {"las": "right_both", "uas": "right_heads", "label_accuracy": "right_labels"}
CELLS = 1 << 20  # random numbers drawn at a time

Runs = Attachment | Sequence[Attachment]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The scores of two systems in per cent, and the probability of a difference at least as large if the systems were equally good."""

    metric: str
    first: float
    second: float
    p: float
    rounds: int

    @property
    def difference(self) -> float:
        """How far the second is ahead of the first, in percentage points."""
        return self.second - self.first


def compare(first: Runs, second: Runs, *, metric: str = "las", rounds: int = 10_000, seed: int = 1) -> Comparison:
    """Compare two systems evaluated on the same gold; where a system was trained with several seeds, give all its runs: their mean is compared."""
    first, second = _runs(first), _runs(second)
    counted = first[0].counted
    if any(not np.array_equal(run.counted, counted) for run in (*first, *second)):
        raise UsageError("the systems were evaluated on different gold sentences or under different conditions; evaluate both alike")
    totals = _total(first, metric), _total(second, metric)
    # Sums times the other's number of runs keep the difference of the means in whole numbers, so that ties are ties.
    differences = totals[1] * len(first) - totals[0] * len(second)
    means = [percent(int(total.sum()), int(counted.sum()) * len(runs)) for total, runs in zip(totals, (first, second), strict=True)]
    return Comparison(metric, means[0], means[1], randomisation(differences, rounds=rounds, seed=seed), rounds)


def randomisation(differences: Integers, *, rounds: int = 10_000, seed: int = 1) -> float:
    """The two-sided p of the sum of per-sentence differences under random changes of their signs, (hits + 1) / (rounds + 1)."""
    _positive(rounds)
    observed = abs(int(differences.sum()))
    changing = differences[differences != 0]
    random = np.random.default_rng(seed)
    hits = 0
    for size in _portions(rounds, len(changing)):
        swapped = random.integers(0, 2, (size, len(changing)), dtype=np.int8)
        # Whole numbers far below 2**53 stay exact as floats, whose product is much faster.
        sums = changing.sum() - 2 * (swapped.astype(float) @ changing.astype(float))
        hits += int((np.abs(sums) >= observed).sum())
    return (hits + 1) / (rounds + 1)


def bootstrap_interval(runs: Runs, *, metric: str = "las", level: float = 0.95, rounds: int = 1000, seed: int = 1) -> tuple[float, float]:
    """The percentile bootstrap interval of a score in per cent, with the sentences drawn anew each round."""
    _positive(rounds)
    if not 0 < level < 1:
        raise UsageError(f"level {level} is no probability; use one such as 0.95")
    runs = _runs(runs)
    correct, counted = _total(runs, metric), runs[0].counted * len(runs)
    random = np.random.default_rng(seed)
    scores = []
    for size in _portions(rounds, len(counted)):
        drawn = random.integers(0, len(counted), (size, len(counted)))
        scores.append(100 * correct[drawn].sum(axis=1) / counted[drawn].sum(axis=1))
    low, high = np.quantile(np.concatenate(scores), ((1 - level) / 2, (1 + level) / 2))
    return float(low), float(high)


def _runs(runs: Runs) -> Sequence[Attachment]:
    runs = [runs] if isinstance(runs, Attachment) else runs
    if not runs:
        raise UsageError("no runs to compare; give at least one for each system")
    return runs


def _total(runs: Sequence[Attachment], metric: str) -> Integers:
    """The right words of each sentence, summed over the runs."""
    if metric not in COUNTS:
        raise UsageError(f"no metric {metric!r}; use one of {', '.join(COUNTS)}")
    return np.sum([getattr(run, COUNTS[metric]) for run in runs], axis=0)


def _positive(rounds: int) -> None:
    if rounds < 1:
        raise UsageError(f"{rounds} rounds; use at least 1, better 1000 or more")


def _portions(rounds: int, width: int) -> Iterator[int]:
    """The rounds divided so that no portion draws more than CELLS numbers."""
    size = max(1, CELLS // max(1, width))
    for start in range(0, rounds, size):
        yield min(size, rounds - start)
