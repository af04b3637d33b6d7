"""Significance tests for the difference between two systems.

Two systems are compared by paired approximate randomisation (Yeh, COLING 2000). If the systems were equally good, their
outputs for a sentence could be swapped. So sentences are swapped at random many times, and p is the share of rounds in
which the difference is at least as large as the observed one. The unit is the sentence, because errors within a
sentence are not independent. `holm` corrects p-values for multiple tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import UsageError
from gardenpath.evaluation.layout import Integers
from gardenpath.evaluation.sampling import Runs, as_runs, portions, totals
from gardenpath.evaluation.scores import percent

TIE = 1e-9  # a smaller difference of rates is a rounding error


@dataclass(frozen=True, slots=True)
class Contrast:
    """The scores of two systems in per cent."""

    first: float
    second: float

    @property
    def difference(self) -> float:
        """The second score minus the first, in percentage points."""
        return self.second - self.first


@dataclass(frozen=True, slots=True)
class RunComparison(Contrast):
    """The scores of two systems, and the probability `p` of a difference at least as large for equally good systems."""

    metric: str
    p: float
    rounds: int


def compare_runs(
    first: Runs, second: Runs, *, metric: str = "las", rounds: int = 10_000, seed: int = 1,
) -> RunComparison:
    """Compare two systems that were evaluated on the same gold sentences.

    If a system was trained with several seeds, give all its runs; then the means are compared.
    """
    first, second = as_runs(first), as_runs(second)
    if any(not np.array_equal(run.counted, first[0].counted) for run in (*first, *second)):
        raise UsageError(
            "the systems were evaluated on different gold sentences or under different conditions; evaluate both on "
            "the same gold sentences with the same settings"
        )
    (right_first, whole_first), (right_second, whole_second) = totals(first, metric), totals(second, metric)
    # Each sum is multiplied by the number of runs of the other system, so that differences of means are whole numbers
    # and ties are exact.
    differences = right_second * len(first) - right_first * len(second)
    first_score = percent(int(right_first.sum()), int(whole_first.sum()))
    second_score = percent(int(right_second.sum()), int(whole_second.sum()))
    p = randomisation(differences, rounds=rounds, seed=seed)
    return RunComparison(first_score, second_score, metric, p, rounds)


def randomisation(differences: Integers, *, rounds: int = 10_000, seed: int = 1) -> float:
    """Return the two-sided p of the sum of differences per sentence under random sign changes.

    It is (hits + 1) / (rounds + 1).
    """
    observed = abs(int(differences.sum()))
    changing = differences[differences != 0].astype(float)
    hits = 0
    for swapped in _swaps(rounds, len(changing), seed):
        hits += int((np.abs(changing.sum() - 2 * (swapped @ changing)) >= observed).sum())
    return (hits + 1) / (rounds + 1)


def f1_randomisation(
    gold: Integers, first: Integers, second: Integers, *, rounds: int = 10_000, seed: int = 1,
) -> list[float]:
    """Return the two-sided p of the difference in F1 for each of several kinds of arcs, when sentences are swapped.

    `gold` is the number of gold arcs of each kind. `first` and `second` are arrays of shape (sentences, kinds, 2) with
    the correct and total numbers of system arcs.
    """
    kinds = len(gold)
    moved = (second - first).reshape(len(first), 2 * kinds).astype(float)
    moved = moved[moved.any(axis=1)]
    sums = first.sum(axis=0).astype(float), second.sum(axis=0).astype(float)
    observed = np.abs(_f1(gold, sums[1]) - _f1(gold, sums[0])) - TIE
    hits = np.zeros(kinds, np.int64)
    for swapped in _swaps(rounds, len(moved), seed):
        change = (swapped @ moved).reshape(len(swapped), kinds, 2)
        hits += (np.abs(_f1(gold, sums[1] - change) - _f1(gold, sums[0] + change)) >= observed).sum(axis=0)
    return [(int(count) + 1) / (rounds + 1) for count in hits]


def holm(ps: Sequence[float]) -> list[float]:
    """Adjust the p-values of several tests (Holm 1979). The order is kept.

    If all differences with an adjusted p below 0.05 are called significant, the probability of any false positive is at
    most 5 %, whatever the dependence between the tests.
    """
    if not all(0 <= p <= 1 for p in ps):
        raise UsageError("a p-value is not between 0 and 1; give probabilities")
    adjusted = [0.0] * len(ps)
    highest = 0.0
    for rank, i in enumerate(sorted(range(len(ps)), key=lambda i: ps[i])):
        highest = max(highest, min(1.0, (len(ps) - rank) * ps[i]))
        adjusted[i] = highest
    return adjusted


def _swaps(rounds: int, sentences: int, seed: int) -> Iterator[NDArray[np.float64]]:
    """Yield arrays with one row per round and 1 for each sentence that is swapped.

    Whole numbers far below 2**53 are exact as floats, and products of floats are much faster.
    """
    random = np.random.default_rng(seed)
    for size in portions(rounds, sentences):
        yield random.integers(0, 2, (size, sentences), dtype=np.int8).astype(float)


def _f1(gold: Integers, counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return F1 from the correct and total numbers of system arcs in the last dimension. Every kind occurs in gold."""
    return 200 * counts[..., 0] / (gold + counts[..., 1])
