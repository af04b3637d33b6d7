"""How long an experiment should take: by what systems cost beside each other, and by how long the runs took that are recorded."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

from gardenpath import systems
from gardenpath.experiments.engines import Task
from gardenpath.experiments.plan import Run
from gardenpath.experiments.records import RUNS, Records

STARTING = 1.5                # seconds that a run takes besides
WORD = 20e-6                  # seconds for a word in a pass with the perceptron; what follows is so many times that
TAGGER, STACK_LSTM = 1.5, 9.0


def estimate(tasks: Sequence[Task], records: Records, workers: int) -> float:
    """Seconds that so many workers should need for what is left to do."""
    faults = _faults(records)
    every = [fault for of_system in faults.values() for fault in of_system]
    total = sum(seconds_of(task.run) * median(faults.get(task.run.settings.system) or every or [1.0]) for task in tasks)
    return total / min(workers, max(len(tasks), 1))


def seconds_of(run: Run) -> float:
    """Seconds that a run should take on a machine like ours."""
    return _seconds(run.settings.to_dict(), _words(run.treebank.train))


def _seconds(settings: dict[str, Any], words: int) -> float:
    factor = STACK_LSTM if settings["scorer"] == "stack-lstm" else _relative_time(settings["system"]) * settings["beam"]
    return STARTING + words * settings["passes"] * WORD * (factor + (TAGGER if settings["tags"] != "gold" else 0))


def _relative_time(system: str) -> float:
    return systems.get(system).relative_time if systems.is_known(system) else 1.0


def _faults(records: Records) -> dict[str, list[float]]:
    """By system, how many times longer recorded runs took than they should have."""
    faults: dict[str, list[float]] = {}
    for folder in sorted((records.folder / RUNS).glob("[!.]*")):
        record = records.read(folder.name)
        fault = record["seconds"]["all"] / _seconds(record["settings"], record["words"])
        faults.setdefault(record["settings"]["system"], []).append(fault)
    return faults


@cache
def _words(path: Path) -> int:
    """The words of a CoNLL-U file: lines that begin with a number and a tab."""
    with open(path, "rb") as file:
        return sum(line.split(b"\t", 1)[0].isdigit() for line in file)
