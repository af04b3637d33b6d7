"""The results of an experiment, read from its records: the runs of each condition on each treebank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import numpy as np

from gardenpath.core.shapes import Maybe, read_record
from gardenpath.errors import InputError
from gardenpath.evaluation.attachment import Attachment
from gardenpath.experiments.experiment import PLAN
from gardenpath.experiments.plan import Claim
from gardenpath.experiments.records import RunRecords

OFFICIAL = {"las": "LAS", "uas": "UAS"}
_PLAN = {
    "title": str, "notes": str, "score": str, "baseline": str, "seeds": [int], "treebanks": [str],
    "conditions": [{"name": str, "settings": dict, "beam": Maybe(int)}],
    "claims": [{"first": str, "second": str, "claim": str}],
    "runs": [{"condition": str, "treebank": str, "seed": int, "key": str}],
}


@dataclass(frozen=True, slots=True)
class Result:
    """One run of a condition: the record, the parses with the condition's beam, and the counts for each sentence."""

    seed: int
    record: dict[str, Any]
    parse: dict[str, Any]         # `Evaluation.to_dict()` with `words_per_second` and `beam`
    attachment: Attachment

    def score(self, metric: str) -> float:
        """Return a score: the official F1 for LAS and UAS, otherwise a property of the attachment scores.

        Both are the same unless the words differ from gold.
        """
        official = self.parse["scores"].get(OFFICIAL.get(metric))
        return official["f1"] if official else getattr(self.attachment, metric)


@dataclass(frozen=True, slots=True)
class Cell:
    """A condition on a treebank: its results by seed, fewer than planned while runs are missing."""

    condition: str
    treebank: str
    results: list[Result]

    def scores(self, metric: str = "las") -> list[float]:
        """Return the score of each seed."""
        return [result.score(metric) for result in self.results]

    def mean(self, metric: str = "las") -> float | None:
        """Return the mean score over the seeds, or None if there are no results."""
        return mean(self.scores(metric)) if self.results else None

    def spread(self, metric: str = "las") -> float | None:
        """Return the standard deviation over the seeds, or None for fewer than two."""
        return stdev(self.scores(metric)) if len(self.results) > 1 else None


class Results:
    """The plan and all results of an experiment."""

    def __init__(self, plan: dict[str, Any], records: RunRecords) -> None:
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
        found: dict[tuple[str, str], list[Result]] = {
            (condition, treebank): [] for condition in self.conditions for treebank in self.treebanks
        }
        for run in plan["runs"]:
            if records.has(run["key"]):
                found[run["condition"], run["treebank"]].append(_result(records, run, beams[run["condition"]]))
        self.cells = {key: Cell(*key, results) for key, results in found.items()}

    def cell(self, condition: str, treebank: str) -> Cell:
        """Return a condition on a treebank."""
        return self.cells[condition, treebank]

    def of(self, condition: str) -> list[Cell]:
        """Return a condition on each treebank, in their order."""
        return [self.cells[condition, treebank] for treebank in self.treebanks]

    def in_all_conditions(self) -> list[str]:
        """Return the treebanks on which every condition has runs, leaving out conditions without any run."""
        begun = [condition for condition in self.conditions if any(cell.results for cell in self.of(condition))]
        return [
            treebank
            for treebank in self.treebanks
            if begun and all(self.cell(condition, treebank).results for condition in begun)
        ]

    def records(self) -> list[dict[str, Any]]:
        """Return the record of each run, once."""
        return list(
            {result.record["key"]: result.record for cell in self.cells.values() for result in cell.results}.values()
        )


def read_results(folder: str | Path) -> Results:
    """Read the results of an experiment from its folder."""
    path = Path(folder) / PLAN
    try:
        plan = read_record(path, _PLAN, "the plan")
        _check_names(plan)
    except FileNotFoundError:
        raise InputError(
            f"{folder}: the folder has no {PLAN}, so it is not an experiment; give the folder OUTPUT/NAME of "
            "`gardenpath experiment NAME.toml --output OUTPUT`"
        ) from None
    except ValueError as error:
        raise InputError(
            f"{path}: the file is not the plan of an experiment of this version: {error}; run the experiment again, "
            "which does only the missing runs"
        ) from None
    return Results(plan, RunRecords(Path(folder).parent))


def _check_names(plan: dict[str, Any]) -> None:
    """Raise `ValueError` if the plan uses a condition or a treebank that it does not have."""
    conditions, treebanks = {condition["name"] for condition in plan["conditions"]}, set(plan["treebanks"])
    used = {plan["baseline"], *(claim[which] for claim in plan["claims"] for which in ("first", "second"))}
    for name in sorted((used | {run["condition"] for run in plan["runs"]}) - conditions):
        raise ValueError(f"there is no condition {name!r}")
    for name in sorted({run["treebank"] for run in plan["runs"]} - treebanks):
        raise ValueError(f"there is no treebank {name!r}")


def _result(records: RunRecords, run: dict[str, Any], beam: int | None) -> Result:
    record = records.read(run["key"])
    parse = next((parse for parse in record["parses"] if parse["beam"] == beam), None)
    if parse is None:
        raise InputError(
            f"{records.path(run['key'])}: the record has no parses with the beam of {run['condition']}; remove this "
            "folder and run the experiment again"
        )
    counts = records.sentences(run["key"], parse["file"])
    return Result(
        run["seed"], record, parse, Attachment(**{name: np.array(values, np.int64) for name, values in counts.items()})
    )


def in_common(cells: Sequence[Cell]) -> list[int]:
    """Return the seeds that all cells have."""
    return sorted(set.intersection(*({result.seed for result in cell.results} for cell in cells)))
