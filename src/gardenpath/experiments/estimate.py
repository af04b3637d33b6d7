"""Estimate how long an experiment takes, from the relative cost of the systems and the times of recorded runs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

from gardenpath import systems
from gardenpath.experiments.engines import RunTask
from gardenpath.experiments.plan import Run
from gardenpath.experiments.records import RUNS, RunRecords
from gardenpath.models import scorers

STARTING = 1.5                # seconds per run, for everything else
WORD = 20e-6                  # seconds per word and epoch with the perceptron; the factors below multiply it
TAGGER = 1.5


def estimate(tasks: Sequence[RunTask], records: RunRecords, workers: int) -> float:
    """Return the seconds that `workers` workers need for these tasks."""
    faults = _faults(records)
    every = [fault for of_system in faults.values() for fault in of_system]
    total = sum(
        seconds_of(task.run) * median(faults.get(task.run.settings.parser.system) or every or [1.0]) for task in tasks
    )
    return total / min(workers, max(len(tasks), 1))


def seconds_of(run: Run) -> float:
    """Return the seconds that a run takes on the reference machine."""
    words = _words(run.treebank.train)
    return _seconds(run.settings.for_treebank(words).to_flat_dict(), words)


def _seconds(settings: dict[str, Any], words: int) -> float:
    scorer = scorers.get(settings["scorer"])
    if scorer.relative_time is None:
        factor = _relative_time(settings["system"]) * settings["beam"]
    else:
        factor = scorer.relative_time * (scorer.beam_time if settings["beam"] > 1 else 1)
    return STARTING + words * settings["passes"] * WORD * (factor + (TAGGER if settings["tags"] != "gold" else 0))


def _relative_time(system: str) -> float:
    return systems.get(system).relative_time if systems.is_known(system) else 1.0


def _faults(records: RunRecords) -> dict[str, list[float]]:
    """Return, by system, how many times longer than estimated recorded runs took."""
    faults: dict[str, list[float]] = {}
    for folder in sorted((records.folder / RUNS).glob("[!.]*")):
        record = records.read(folder.name)
        fault = record["seconds"]["all"] / _seconds(record["settings"], record["words"])
        faults.setdefault(record["settings"]["system"], []).append(fault)
    return faults


@cache
def _words(path: Path) -> int:
    """Count the words of a CoNLL-U file: the lines that begin with a number and a tab."""
    with open(path, "rb") as file:
        return sum(line.split(b"\t", 1)[0].isdigit() for line in file)
