"""Running an experiment: what is not there yet is done and recorded, run by run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gardenpath.experiments.engines import Engine, Task, local
from gardenpath.experiments.plan import Plan, Run
from gardenpath.experiments.records import Records
from gardenpath.files import replacing_text

PLAN = "plan.json"


@dataclass(frozen=True, slots=True)
class Progress:
    """A run has ended: its record, or why it failed."""

    run: Run
    done: int
    total: int
    record: dict[str, Any] | None = None
    failure: str | None = None


def missing(plan: Plan, records: Records) -> list[Task]:
    """What is left to do."""
    tasks = [Task(run, keep_model=plan.speed and run.settings.seed == plan.seeds[0]) for run in plan.runs()]
    return [task for task in tasks if not records.has(task.run.key, model=task.keep_model)]


def run_experiment(plan: Plan, folder: str | Path, *, engine: Engine = local, workers: int | None = None, command: str = "") -> Iterator[Progress]:
    """Do what is missing of an experiment, yielding as each run ends; records go to `FOLDER/runs`, what the report needs to `FOLDER/NAME`.

    Experiments in the same folder share their runs. Stop it at any moment, and start it again: what is recorded is not done again. `command` is what the report
    says to type for the same results.
    """
    records = Records(folder)
    with records.locked():
        _write_plan(plan, folder, command)
        tasks = missing(plan, records)
        for done, outcome in enumerate(engine(tasks, workers), 1):
            key = outcome.task.run.key
            if outcome.files is not None:
                records.write(key, outcome.files)
            else:
                records.write_failure(key, outcome.failure or "")
            yield Progress(outcome.task.run, done, len(tasks), records.read(key) if outcome.files is not None else None, outcome.failure)


def _write_plan(plan: Plan, folder: str | Path, command: str) -> None:
    """Write down what belongs to the experiment, for the report."""
    path = Path(folder) / plan.name / PLAN
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing_text(path) as file:
        file.write(json.dumps(plan.to_dict() | {"command": command}, ensure_ascii=False, indent=1) + "\n")
