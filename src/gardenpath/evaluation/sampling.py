"""What tests and intervals start from: the sentences of a system's runs, summed up, and rounds of random draws in portions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from gardenpath.errors import UsageError
from gardenpath.evaluation.attachment import Attachment
from gardenpath.evaluation.layout import Integers

CELLS = 1 << 20  # random numbers drawn at a time

Runs = Attachment | Sequence[Attachment]


def as_runs(runs: Runs) -> Sequence[Attachment]:
    """The runs of a system, at least one."""
    runs = [runs] if isinstance(runs, Attachment) else runs
    if not runs:
        raise UsageError("no runs to compare; give at least one for each system")
    return runs


def totals(runs: Sequence[Attachment], metric: str) -> tuple[Integers, Integers]:
    """For each sentence how much of it is right by the metric, and of how much, summed over the runs."""
    right, whole = zip(*(run.tally(metric) for run in runs), strict=True)
    return np.sum(right, axis=0), np.sum(whole, axis=0)


def portions(rounds: int, width: int) -> Iterator[int]:
    """The rounds divided so that no portion draws more than CELLS numbers, `width` each round."""
    if rounds < 1:
        raise UsageError(f"{rounds} rounds; use at least 1, better 1000 or more")
    size = max(1, CELLS // max(1, width))
    return (min(size, rounds - start) for start in range(0, rounds, size))
