"""Sums over the runs of a system and batches of random draws, for significance tests and bootstrap intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from gardenpath.errors import UsageError
from gardenpath.evaluation.attachment import Attachment
from gardenpath.evaluation.layout import Integers

CELLS = 1 << 20  # random numbers drawn at a time

Runs = Attachment | Sequence[Attachment]


def as_runs(runs: Runs) -> Sequence[Attachment]:
    """Return the runs of a system as a sequence, and check that there is at least one."""
    runs = [runs] if isinstance(runs, Attachment) else runs
    if not runs:
        raise UsageError("no runs to compare; give at least one for each system")
    return runs


def totals(runs: Sequence[Attachment], metric: str) -> tuple[Integers, Integers]:
    """Return the correct and total counts of a metric for each sentence, summed over the runs."""
    right, whole = zip(*(run.tally(metric) for run in runs), strict=True)
    return np.sum(right, axis=0), np.sum(whole, axis=0)


def portions(rounds: int, width: int) -> Iterator[int]:
    """Yield portions of the rounds that draw at most CELLS numbers each, with `width` numbers per round."""
    if rounds < 1:
        raise UsageError(f"rounds must be at least 1, not {rounds}; 1000 or more are better")
    size = max(1, CELLS // max(1, width))
    return (min(size, rounds - start) for start in range(0, rounds, size))
