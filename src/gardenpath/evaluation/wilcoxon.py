"""The signed-rank test (Wilcoxon 1945) for paired differences, for example of two parsers on several treebanks.

The test assumes that the pairs are independent and that under the null hypothesis the differences are symmetric around
zero. The p is exact: it is computed over all choices of signs for the observed ranks, so ties need no correction.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from gardenpath.errors import UsageError

TIE = 1e-9  # differences closer than this are equal except for rounding


def wilcoxon(differences: Sequence[float]) -> float:
    """Return the two-sided p. Differences of zero are dropped; if no others are left, p is 1."""
    if not all(math.isfinite(difference) for difference in differences):
        raise UsageError("a difference is not a finite number; leave out that pair")
    signed = [difference for difference in differences if abs(difference) > TIE]
    ranks = doubled_ranks([abs(difference) for difference in signed])
    above = sum(rank for rank, difference in zip(ranks, signed, strict=True) if difference > 0)
    smaller = min(above, sum(ranks) - above)
    return min(1.0, 2 * float(_distribution(ranks)[: smaller + 1].sum()))


def doubled_ranks(sizes: Sequence[float]) -> list[int]:
    """Return twice the rank of each size. Ties get the mean of their ranks, which is a whole number when doubled."""
    order = sorted(range(len(sizes)), key=lambda i: sizes[i])
    ranks = [0] * len(sizes)
    start = 0
    for end in range(1, len(order) + 1):
        if end == len(order) or sizes[order[end]] - sizes[order[end - 1]] > TIE:
            for i in order[start:end]:
                ranks[i] = start + 1 + end
            start = end
    return ranks


def _distribution(ranks: Sequence[int]) -> np.ndarray:
    """Return the probability of each sum of positive ranks if both signs are equally likely."""
    likely = np.zeros(sum(ranks) + 1)
    likely[0] = 1
    for rank in ranks:
        with_rank = np.concatenate([np.zeros(rank), likely[:-rank]])
        likely = (likely + with_rank) / 2
    return likely
