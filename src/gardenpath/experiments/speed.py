"""Measure the speed of all conditions side by side: one process, one thread, in turns, the fastest round of each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gardenpath.core.shapes import read_record
from gardenpath.errors import InputError
from gardenpath.experiments.plan import ExperimentPlan, Treebank
from gardenpath.experiments.records import RunRecords
from gardenpath.experiments.run import MODEL, machine, timed_parse
from gardenpath.files import replacing_text
from gardenpath.models.loading import load

SPEED = "speed.json"
ROUNDS = 5
_SHAPE = {"keys": [str], "rows": [{"condition": str, "treebank": str, "words_per_second": float}]}


def measure_speed(plan: ExperimentPlan, folder: str | Path, rounds: int = ROUNDS) -> Iterator[str]:
    """Measure how fast the models of the first seed parse each treebank, and yield its name. Nothing is measured twice.

    Times are processor times for tagged sentences in memory, from words to heads and labels. Ratios are relative to
    the baseline on the same treebank.
    """
    path = Path(folder) / plan.name / SPEED
    keys = [
        plan.run(condition, treebank, plan.seeds[0]).key for treebank in plan.treebanks for condition in plan.conditions
    ]
    if path.is_file() and read_speed(path)["keys"] == keys:
        return
    rows: list[dict[str, Any]] = []
    for treebank in plan.treebanks:
        rows += _measure(plan, RunRecords(folder), treebank, rounds)
        yield treebank.name
    with replacing_text(path) as file:
        file.write(
            json.dumps(
                {"keys": keys, "machine": machine(), "rounds": rounds, "rows": rows}, ensure_ascii=False, indent=1
            )
            + "\n"
        )


def read_speed(path: Path) -> dict[str, Any]:
    """Read a file of `measure_speed`."""
    try:
        return read_record(path, _SHAPE, "the file")
    except ValueError as error:
        raise InputError(
            f"{path}: the file does not contain speeds of conditions ({error}); remove it and run the experiment again"
        ) from None


def _measure(plan: ExperimentPlan, records: RunRecords, treebank: Treebank, rounds: int) -> list[dict[str, Any]]:
    runs = [plan.run(condition, treebank, plan.seeds[0]) for condition in plan.conditions]
    models = [load(records.path(run.key) / MODEL) for run in runs]
    fastest = {condition.name: float("inf") for condition in plan.conditions}
    for _ in range(rounds):
        for condition, run, model in zip(plan.conditions, runs, models, strict=True):
            sentences, seconds = timed_parse(model, run, condition.beam)
            fastest[condition.name] = min(fastest[condition.name], seconds)
    words = sum(map(len, sentences))
    return [
        {
            "treebank": treebank.name,
            "condition": name,
            "words_per_second": words / seconds,
            "ratio": fastest[plan.baseline] / seconds,
        }
        for name, seconds in fastest.items()
    ]
