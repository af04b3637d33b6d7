"""The scores of conditions on treebanks: means over seeds, their spread, and means over treebanks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import mean, stdev

from gardenpath.experiments.results import Cell, Result, Results

NONPROJECTIVE = "nonprojective_las"
METRICS = {
    "las": "LAS",
    "uas": "UAS",
    "exact_labelled": "Exact match, labelled",
    NONPROJECTIVE: "LAS in sentences whose gold tree is non-projective",
}
TESTED = ("las", "uas", "exact_labelled")       # metrics that can be compared sentence by sentence

Value = Callable[[Result], float | None]


@dataclass(frozen=True, slots=True)
class ConditionScore:
    """The score of a condition on a treebank: mean and standard deviation over seeds, and the number of runs.

    Without a treebank, it is the mean over those that all conditions have.
    """

    condition: str
    treebank: str | None
    mean: float | None
    spread: float | None
    runs: int


class ConditionScores:
    """One metric for all conditions on all treebanks."""

    def __init__(self, results: Results, value: Value) -> None:
        self.treebanks = results.in_all_conditions()
        self._value = value
        self.every: list[ConditionScore] = []
        for condition in results.conditions:
            cells = results.of(condition)
            self.every += [self._of_cell(cell) for cell in cells]
            self.every.append(
                self._of_treebanks(condition, [cell for cell in cells if cell.treebank in self.treebanks])
            )
        self._known = {(score.condition, score.treebank): score for score in self.every}

    def of(self, condition: str, treebank: str | None = None) -> ConditionScore:
        """Return the score of a condition on a treebank, or on all that all conditions have."""
        return self._known[condition, treebank]

    def _of_cell(self, cell: Cell) -> ConditionScore:
        values = [value for value in map(self._value, cell.results) if value is not None]
        return ConditionScore(
            cell.condition,
            cell.treebank,
            mean(values) if values else None,
            stdev(values) if len(values) > 1 else None,
            len(values),
        )

    def _of_treebanks(self, condition: str, cells: list[Cell]) -> ConditionScore:
        """Return the mean of the means. The spread is that of the means by seed, if no seed is missing."""
        known = [score.mean for score in map(self._of_cell, cells) if score.mean is not None]
        columns = [
            {result.seed: value for result in cell.results if (value := self._value(result)) is not None}
            for cell in cells
        ]
        are_whole = len({frozenset(column) for column in columns}) == 1
        by_seed = [mean(column[seed] for column in columns) for seed in columns[0]] if are_whole else []
        return ConditionScore(
            condition,
            None,
            mean(known) if known else None,
            stdev(by_seed) if len(by_seed) > 1 else None,
            sum(len(cell.results) for cell in cells),
        )


def metric_of(name: str) -> Value:
    """Return the function that reads a metric from a result."""
    if name == NONPROJECTIVE:
        return lambda result: result.parse["by_projectivity"].get("non-projective", {}).get("las")
    return lambda result: result.score(name)
