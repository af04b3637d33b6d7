"""The signed-rank test (Wilcoxon 1945): whether paired differences, say of two parsers over treebanks, lie around zero.

It assumes that the pairs are independent and that, if nothing is different, each difference is as likely to be above zero as equally far below. The
p is exact: the ranks of the actual differences get every choice of signs, so ties need no correction.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from gardenpath.errors import UsageError

TIE = 1e-9  # differences that differ by less are equal, but for rounding


def wilcoxon(differences: Sequence[float]) -> float:
    """The two-sided p; differences of zero are dropped, and without any others p is 1."""
    if not all(math.isfinite(difference) for difference in differences):
        raise UsageError("a difference is no finite number; leave the pair out")
    signed = [difference for difference in differences if abs(difference) > TIE]
    ranks = doubled_ranks([abs(difference) for difference in signed])
    above = sum(rank for rank, difference in zip(ranks, signed, strict=True) if difference > 0)
    smaller = min(above, sum(ranks) - above)
    return min(1.0, 2 * float(_distribution(ranks)[: smaller + 1].sum()))


def doubled_ranks(sizes: Sequence[float]) -> list[int]:
    """Twice the rank of each size; ties share the mean of their ranks, which is whole when doubled."""
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
    """How likely each sum of the ranks above zero is, if every sign is as likely as the other: one rank after the other is added or not."""
    likely = np.zeros(sum(ranks) + 1)
    likely[0] = 1
    for rank in ranks:
        with_rank = np.concatenate([np.zeros(rank), likely[:-rank]])
        likely = (likely + with_rank) / 2
    return likely
