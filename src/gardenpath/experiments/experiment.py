"""Run an experiment: do the missing runs and record each one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gardenpath.experiments.engines import Engine, RunTask, local
from gardenpath.experiments.plan import ExperimentPlan, Run
from gardenpath.experiments.records import RunRecords
from gardenpath.files import replacing_text

PLAN = "plan.json"


@dataclass(frozen=True, slots=True)
class Progress:
    """A finished run: its record, or the reason why it failed."""

    run: Run
    done: int
    total: int
    record: dict[str, Any] | None = None
    failure: str | None = None


def missing(plan: ExperimentPlan, records: RunRecords) -> list[RunTask]:
    """Return the runs that are not recorded yet."""
    tasks = [RunTask(run, keep_model=plan.speed and run.settings.seed == plan.seeds[0]) for run in plan.runs()]
    return [task for task in tasks if not records.has(task.run.key, model=task.keep_model)]


def run_experiment(
    plan: ExperimentPlan, folder: str | Path, *, engine: Engine = local, workers: int | None = None, command: str = ""
) -> Iterator[Progress]:
    """Do the missing runs of an experiment and yield each one when it ends.

    Records are written to `FOLDER/runs`, and what the report needs to `FOLDER/NAME`. Experiments in the same folder
    share their runs. An experiment can be stopped at any moment and started again: recorded runs are kept. `command`
    is the command line that the report shows for the same results.
    """
    records = RunRecords(folder)
    with records.locked():
        _write_plan(plan, folder, command)
        tasks = missing(plan, records)
        for done, outcome in enumerate(engine(tasks, workers), 1):
            key = outcome.task.run.key
            if outcome.files is not None:
                records.write(key, outcome.files)
            else:
                records.write_failure(key, outcome.failure or "")
            yield Progress(
                outcome.task.run,
                done,
                len(tasks),
                records.read(key) if outcome.files is not None else None,
                outcome.failure,
            )


def _write_plan(plan: ExperimentPlan, folder: str | Path, command: str) -> None:
    """Write the plan of the experiment, for the report."""
    path = Path(folder) / plan.name / PLAN
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing_text(path) as file:
        file.write(json.dumps(plan.to_dict() | {"command": command}, ensure_ascii=False, indent=1) + "\n")
