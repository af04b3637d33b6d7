"""What conditions cost: speed of parsing, time and memory of training; and what they learn in each pass."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from pathlib import Path
from statistics import mean
from typing import Any

from gardenpath.errors import InputError
from gardenpath.experiments.results import Results
from gardenpath.experiments.speed import SPEED
from gardenpath.report.scores import Scores

Rows = dict[tuple[str, str | None], float]


@dataclass(frozen=True, slots=True)
class Speed:
    """Words a second of a condition on a treebank (None: the geometric mean over those that all conditions have), and how many times the baseline's."""

    condition: str
    treebank: str | None
    words_per_second: float
    ratio: float | None


@dataclass(frozen=True, slots=True)
class Speeds:
    """The speed of all conditions; `in_turns` if they were measured side by side for it, and not each in its own run, whatever else the machine did."""

    every: list[Speed]
    in_turns: bool

    def of(self, condition: str, treebank: str | None = None) -> Speed | None:
        """The speed of a condition on a treebank, or on all that all conditions have."""
        return next((speed for speed in self.every if (speed.condition, speed.treebank) == (condition, treebank)), None)


@dataclass(frozen=True, slots=True)
class Curve:
    """LAS on the dev set after each pass, as the mean over seeds; of no treebank: as the mean over those that all conditions have."""

    condition: str
    treebank: str | None
    las: list[float]


def speeds(results: Results, folder: Path) -> Speeds:
    """The speeds measured in turns, if there are such of these runs, or else those of the runs themselves."""
    measured = _measured(results, folder / SPEED)
    rows = measured or _of_runs(results)
    begun = {condition for condition, _ in rows}
    common = [treebank for treebank in results.treebanks if all((condition, treebank) in rows for condition in begun)]
    for condition in results.conditions:
        if condition in begun and common:
            rows[condition, None] = exp(mean(log(rows[condition, treebank]) for treebank in common))
    every = [Speed(condition, treebank, value, _ratio(value, rows.get((results.baseline, treebank)))) for (condition, treebank), value in rows.items()]
    return Speeds(every, measured is not None)


def _ratio(value: float, baseline: float | None) -> float | None:
    return value / baseline if baseline else None


def _measured(results: Results, path: Path) -> Rows | None:
    """What was measured in turns; None if nothing was, or other runs were."""
    if not path.is_file():
        return None
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        rows: Rows = {(row["condition"], row["treebank"]): row["words_per_second"] for row in content["rows"]}
        measured = set(content["keys"])
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: no speeds of conditions on treebanks ({error!r}); remove it, and run the experiment again") from None
    return rows if measured == {run["key"] for run in results.plan["runs"] if run["seed"] == results.seeds[0]} else None


def _of_runs(results: Results) -> Rows:
    return {
        (cell.condition, cell.treebank): mean(result.parse["words_per_second"] for result in cell.results) for cell in results.cells.values() if cell.results
    }


def training_seconds(results: Results) -> Scores:
    """The processor time of training, in seconds."""
    return Scores(results, lambda result: result.record["seconds"]["training_cpu"])


def memory(results: Results) -> Scores:
    """The most memory that a run had, in MB."""
    return Scores(results, lambda result: result.record["memory_mb"])


def curves(results: Results) -> list[Curve]:
    """The learning curves of all conditions, as far as there were dev sets."""
    return [curve for condition in results.conditions for curve in _curves(results, condition) if curve.las]


def _curves(results: Results, condition: str) -> list[Curve]:
    found = {cell.treebank: _mean_by_pass([_dev_las(result.record) for result in cell.results]) for cell in results.of(condition)}
    common = [found[treebank] for treebank in results.in_all_conditions() if found[treebank]]
    return [*(Curve(condition, treebank, las) for treebank, las in found.items()), Curve(condition, None, _mean_by_pass(common))]


def _dev_las(record: dict[str, Any]) -> list[float]:
    return [step["dev_las"] for step in record["curve"] if step["dev_las"] is not None]


def _mean_by_pass(curves: Sequence[Sequence[float]]) -> list[float]:
    """The mean after each pass that all of them have."""
    shortest = min(map(len, curves), default=0)
    return [mean(curve[i] for curve in curves) for i in range(shortest)]
