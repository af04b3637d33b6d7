"""What an experiment found, read from its records: the runs of each condition on each treebank."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import numpy as np

from gardenpath.errors import InputError
from gardenpath.evaluation.attachment import Attachment
from gardenpath.experiments.experiment import PLAN
from gardenpath.experiments.plan import Claim
from gardenpath.experiments.records import Records


@dataclass(frozen=True, slots=True)
class Result:
    """One run as one condition sees it: the record, the parses with its beam, and the counts for each sentence."""

    seed: int
    record: dict[str, Any]
    parse: dict[str, Any]         # what `Evaluation.to_dict` told, `words_per_second` and `beam`
    attachment: Attachment


@dataclass(frozen=True, slots=True)
class Cell:
    """A condition on a treebank: its results by seed; fewer than planned while runs are missing."""

    condition: str
    treebank: str
    results: list[Result]

    def scores(self, metric: str = "las") -> list[float]:
        """A score of each seed."""
        return [getattr(result.attachment, metric) for result in self.results]

    def mean(self, metric: str = "las") -> float | None:
        """Its mean over the seeds."""
        return mean(self.scores(metric)) if self.results else None

    def spread(self, metric: str = "las") -> float | None:
        """Its standard deviation over the seeds; None for fewer than two."""
        return stdev(self.scores(metric)) if len(self.results) > 1 else None


class Results:
    """Everything that is known of an experiment."""

    def __init__(self, plan: dict[str, Any], records: Records) -> None:
        self.plan = plan
        self.title: str = plan["title"]
        self.notes: str = plan["notes"]
        self.baseline: str = plan["baseline"]
        self.treebanks: list[str] = plan["treebanks"]
        self.conditions: list[str] = [condition["name"] for condition in plan["conditions"]]
        self.seeds: list[int] = plan["seeds"]
        self.claims = [Claim(**claim) for claim in plan["claims"]]
        self.missing = [run for run in plan["runs"] if not records.has(run["key"])]
        self.failed = [run for run in self.missing if records.has_failed(run["key"])]
        beams = {condition["name"]: condition["beam"] for condition in plan["conditions"]}
        found: dict[tuple[str, str], list[Result]] = {(condition, treebank): [] for condition in self.conditions for treebank in self.treebanks}
        for run in plan["runs"]:
            if records.has(run["key"]):
                found[run["condition"], run["treebank"]].append(_result(records, run, beams[run["condition"]]))
        self.cells = {key: Cell(*key, results) for key, results in found.items()}

    def cell(self, condition: str, treebank: str) -> Cell:
        """A condition on a treebank."""
        return self.cells[condition, treebank]

    def of(self, condition: str) -> list[Cell]:
        """A condition on each treebank, in their order."""
        return [self.cells[condition, treebank] for treebank in self.treebanks]

    def in_all_conditions(self) -> list[str]:
        """The treebanks that every condition has runs of; a condition that has no runs at all yet does not count."""
        begun = [condition for condition in self.conditions if any(cell.results for cell in self.of(condition))]
        return [treebank for treebank in self.treebanks if begun and all(self.cell(condition, treebank).results for condition in begun)]

    def records(self) -> list[dict[str, Any]]:
        """The record of each run, once."""
        return list({result.record["key"]: result.record for cell in self.cells.values() for result in cell.results}.values())


def read_results(folder: str | Path) -> Results:
    """Read the results of an experiment from its folder, `OUTPUT/NAME`."""
    path = Path(folder) / PLAN
    try:
        plan = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{folder}: no {PLAN}, so no folder of an experiment; give OUTPUT/NAME of `gardenpath experiment NAME.toml --output OUTPUT`") from None
    except ValueError as error:
        raise InputError(f"{path}: {error}; run the experiment again, which does only what is missing") from None
    return Results(plan, Records(Path(folder).parent))


def _result(records: Records, run: dict[str, Any], beam: int | None) -> Result:
    record = records.read(run["key"])
    parse = next(parse for parse in record["parses"] if parse["beam"] == beam)
    counts = records.sentences(run["key"])[parse["file"]]
    return Result(run["seed"], record, parse, Attachment(**{name: np.array(values, np.int64) for name, values in counts.items()}))


def in_common(cells: Sequence[Cell]) -> list[int]:
    """The seeds that all of the cells have."""
    return sorted(set.intersection(*({result.seed for result in cell.results} for cell in cells)))
