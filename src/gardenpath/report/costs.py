"""The costs of conditions: parsing speed, training time and memory; and their learning curves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from gardenpath.experiments.results import Results
from gardenpath.experiments.speed import SPEED, read_speed
from gardenpath.report.scores import ConditionScores

Rows = dict[tuple[str, str | None], float]


@dataclass(frozen=True, slots=True)
class Speed:
    """The speed of a condition on a treebank in words per second, and its ratio to the baseline.

    Without a treebank, it is the geometric mean over those that all conditions have.
    """

    condition: str
    treebank: str | None
    words_per_second: float
    ratio: float | None


@dataclass(frozen=True, slots=True)
class Speeds:
    """The speed of all conditions. `in_turns` is whether they were measured side by side, and not in their own runs."""

    every: list[Speed]
    in_turns: bool

    def of(self, condition: str, treebank: str | None = None) -> Speed | None:
        """Return the speed of a condition on a treebank, or on all that all conditions have."""
        return next((speed for speed in self.every if (speed.condition, speed.treebank) == (condition, treebank)), None)


@dataclass(frozen=True, slots=True)
class Curve:
    """LAS on the dev set after each epoch, as the mean over seeds.

    Between epochs that were evaluated, LAS is interpolated. Without a treebank, it is the mean over those that all
    conditions have.
    """

    condition: str
    treebank: str | None
    las: list[float]


def speeds(results: Results, folder: Path) -> Speeds:
    """Return the speeds measured in turns, if they are of these runs, else those of the runs themselves."""
    measured = _measured(results, folder / SPEED)
    rows = measured or _of_runs(results)
    begun = {condition for condition, _ in rows}
    common = [treebank for treebank in results.treebanks if all((condition, treebank) in rows for condition in begun)]
    for condition in results.conditions:
        if condition in begun and common:
            rows[condition, None] = exp(mean(log(rows[condition, treebank]) for treebank in common))
    every = [
        Speed(condition, treebank, value, _ratio(value, rows.get((results.baseline, treebank))))
        for (condition, treebank), value in rows.items()
    ]
    return Speeds(every, measured is not None)


def _ratio(value: float, baseline: float | None) -> float | None:
    return value / baseline if baseline else None


def _measured(results: Results, path: Path) -> Rows | None:
    """Return the speeds measured in turns, or None if there are none or they are of other runs."""
    if not path.is_file():
        return None
    content = read_speed(path)
    rows: Rows = {(row["condition"], row["treebank"]): row["words_per_second"] for row in content["rows"]}
    measured = set(content["keys"])
    return rows if measured == {run["key"] for run in results.plan["runs"] if run["seed"] == results.seeds[0]} else None


def _of_runs(results: Results) -> Rows:
    return {
        (cell.condition, cell.treebank): mean(result.parse["words_per_second"] for result in cell.results)
        for cell in results.cells.values()
        if cell.results
    }


def training_seconds(results: Results) -> ConditionScores:
    """Return the processor time of training, in seconds."""
    return ConditionScores(results, lambda result: result.record["seconds"]["training_cpu"])


def memory(results: Results) -> ConditionScores:
    """Return the peak memory of runs, in MB."""
    return ConditionScores(results, lambda result: result.record["memory_mb"])


def curves(results: Results) -> list[Curve]:
    """Return the learning curves of all conditions with dev sets."""
    return [curve for condition in results.conditions for curve in _curves(results, condition) if curve.las]


def _curves(results: Results, condition: str) -> list[Curve]:
    found = {
        cell.treebank: _mean_by_epoch([_dev_las(result.record) for result in cell.results])
        for cell in results.of(condition)
    }
    common = [found[treebank] for treebank in results.in_all_conditions() if found[treebank]]
    return [
        *(Curve(condition, treebank, las) for treebank, las in found.items()),
        Curve(condition, None, _mean_by_epoch(common)),
    ]


def _dev_las(record: dict[str, Any]) -> list[float]:
    las = [step["dev_las"] for step in record["curve"]]
    evaluated = [i for i, score in enumerate(las) if score is not None]
    if not evaluated:
        return []
    return np.interp(range(evaluated[-1] + 1), evaluated, [las[i] for i in evaluated]).tolist()


def _mean_by_epoch(curves: Sequence[Sequence[float]]) -> list[float]:
    """Return the mean after each epoch that all curves have."""
    shortest = min(map(len, curves), default=0)
    return [mean(curve[i] for curve in curves) for i in range(shortest)]
