"""Whether a difference between two systems means anything.

Two systems are compared by paired approximate randomisation (Yeh, COLING 2000): if they were equally good, it would not matter which of them a
sentence's output came from, so we swap sentences at random many times and see how often the difference is at least as large as the observed one.
The unit is the sentence, as errors within one are not independent. Of several tests, one may come out by chance; `holm` makes up for that.
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

TIE = 1e-9  # rates that differ by less are equal, but for rounding


@dataclass(frozen=True, slots=True)
class Contrast:
    """The scores of two systems in per cent."""

    first: float
    second: float

    @property
    def difference(self) -> float:
        """How far the second is ahead of the first, in percentage points."""
        return self.second - self.first


@dataclass(frozen=True, slots=True)
class RunComparison(Contrast):
    """The scores of two systems, and the probability `p` of a difference at least as large if the systems were equally good."""

    metric: str
    p: float
    rounds: int


def compare_runs(first: Runs, second: Runs, *, metric: str = "las", rounds: int = 10_000, seed: int = 1) -> RunComparison:
    """Compare two systems evaluated on the same gold; where a system was trained with several seeds, give all its runs: their mean is compared."""
    first, second = as_runs(first), as_runs(second)
    if any(not np.array_equal(run.counted, first[0].counted) for run in (*first, *second)):
        raise UsageError("the systems were evaluated on different gold sentences or under different conditions; evaluate both alike")
    (right_first, whole_first), (right_second, whole_second) = totals(first, metric), totals(second, metric)
    # Sums times the other's number of runs keep the difference of the means in whole numbers, so that ties are ties.
    differences = right_second * len(first) - right_first * len(second)
    scores = percent(int(right_first.sum()), int(whole_first.sum())), percent(int(right_second.sum()), int(whole_second.sum()))
    return RunComparison(*scores, metric, randomisation(differences, rounds=rounds, seed=seed), rounds)


def randomisation(differences: Integers, *, rounds: int = 10_000, seed: int = 1) -> float:
    """The two-sided p of the sum of per-sentence differences under random changes of their signs, (hits + 1) / (rounds + 1)."""
    observed = abs(int(differences.sum()))
    changing = differences[differences != 0].astype(float)
    hits = sum(int((np.abs(changing.sum() - 2 * (swapped @ changing)) >= observed).sum()) for swapped in _swaps(rounds, len(changing), seed))
    return (hits + 1) / (rounds + 1)


def f1_randomisation(gold: Integers, first: Integers, second: Integers, *, rounds: int = 10_000, seed: int = 1) -> list[float]:
    """The two-sided p of differences in F1, one for each of several kinds of arcs, when sentences are swapped.

    `gold` is how many arcs of each kind there are; `first` and `second` have for each sentence and kind how many are right, and how many there are in
    the system: arrays of (sentences, kinds, 2).
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
    """Adjust the p of several tests for there being several, in the order given (Holm 1979).

    What is below 0.05 afterwards may be called significant: the chance that any of it is a mistake stays below 5 %, however the tests hang together.
    """
    if not all(0 <= p <= 1 for p in ps):
        raise UsageError("a p is not between 0 and 1; give probabilities")
    adjusted = [0.0] * len(ps)
    highest = 0.0
    for rank, i in enumerate(sorted(range(len(ps)), key=lambda i: ps[i])):
        highest = max(highest, min(1.0, (len(ps) - rank) * ps[i]))
        adjusted[i] = highest
    return adjusted


def _swaps(rounds: int, sentences: int, seed: int) -> Iterator[NDArray[np.float64]]:
    """Portions of rounds, each a row with 1 for the sentences that are swapped.

    Whole numbers far below 2**53 stay exact as floats, whose products are much faster.
    """
    random = np.random.default_rng(seed)
    for size in portions(rounds, sentences):
        yield random.integers(0, 2, (size, sentences), dtype=np.int8).astype(float)


def _f1(gold: Integers, counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """F1 from the right and all of the system's arcs, in the last dimension; every kind is in gold."""
    return 200 * counts[..., 0] / (gold + counts[..., 1])
