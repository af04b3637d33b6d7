"""`gardenpath experiment`: run a grid of treebanks, systems, oracles, models and seeds."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from gardenpath.cli.options import PLAIN
from gardenpath.cli.tables import number, show
from gardenpath.crews.crew import ENGINES
from gardenpath.errors import InputError
from gardenpath.experiments.engines import RunTask, engine_of
from gardenpath.experiments.estimate import estimate, seconds_of
from gardenpath.experiments.experiment import Progress, missing, run_experiment
from gardenpath.experiments.grid import read_plan
from gardenpath.experiments.plan import ExperimentPlan
from gardenpath.experiments.records import FAILURES, RunRecords
from gardenpath.experiments.results import read_results
from gardenpath.experiments.speed import measure_speed


def command(
    settings: Annotated[
        Path,
        typer.Argument(
            metavar="SETTINGS", help="TOML file with the settings; see the folder `experiments` for examples."
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FOLDER", help="Folder for the records; experiments in one folder share runs."
        ),
    ] = Path("results"),
    treebanks: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Folder that contains the treebank folders.", show_default="the folder of SETTINGS"
        ),
    ] = None,
    engine: Annotated[
        str,
        typer.Option(help=f"Where to run the workers: {' or '.join(f'`{name}`' for name in ENGINES)} (a Ray cluster)."),
    ] = "local",
    workers: Annotated[
        int | None,
        typer.Option("--workers", "-w", min=1, help="Number of parallel runs.", show_default="number of cores"),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the missing runs and an estimate of the time, without running.")
    ] = False,
) -> None:
    """Run all combinations of treebanks, systems, oracles, models and seeds in a settings file, and record each run.

    An interrupted experiment continues when you run the same command again. Use `gardenpath report` to make tables and
    plots of the results.

    Example: gardenpath experiment oracles.toml --treebanks ud --output results
    """
    chosen = engine_of(engine)
    plan = read_plan(settings, treebanks)
    records = RunRecords(output)
    tasks = missing(plan, records)
    _show_summary(plan, tasks, records, workers)
    if dry_run:
        show("Missing runs", ("Condition", *(treebank.name for treebank in plan.treebanks)), _missing_rows(plan, tasks))
        return
    failures = 0
    invocation = shlex.join(["gardenpath", *sys.argv[1:]])
    try:
        with _bar() as bar:
            row = bar.add_task(plan.name, total=sum(seconds_of(task.run) for task in tasks), runs=f"0/{len(tasks)}")
            for step in run_experiment(plan, output, engine=chosen, workers=workers, command=invocation):
                failures += step.failure is not None
                bar.update(row, advance=seconds_of(step.run), runs=f"{step.done}/{step.total}")
                if step.failure or not bar.console.is_terminal:
                    bar.console.print(_line(step), **PLAIN)
        if plan.speed and not failures:
            for name in measure_speed(plan, output):
                typer.echo(f"measured speed on {name}", err=True)
    except KeyboardInterrupt:
        message = "gardenpath: interrupted; finished runs are recorded, run the same command again to continue"
        typer.echo(message, err=True)
        raise typer.Exit(130) from None
    if failures:
        reasons = f"the reasons are in {output / FAILURES}"
        raise InputError(f"{failures} of {len(tasks)} runs failed; {reasons}; run the same command again to retry them")
    _show_results(output / plan.name)


def _show_summary(plan: ExperimentPlan, tasks: list[RunTask], records: RunRecords, workers: int | None) -> None:
    total = len(plan.runs())
    seconds = estimate(tasks, records, workers or os.cpu_count() or 1)
    if seconds > 5400:
        time = f"{seconds / 3600:.1f} hours"
    else:
        time = f"{seconds / 60:.0f} minutes" if seconds > 90 else f"{seconds:.0f} seconds"
    estimated = f", about {time}" if tasks else ""
    counts = f"{total} runs, {total - len(tasks)} recorded, {len(tasks)} to do"
    typer.echo(f"{plan.title}: {counts}{estimated}", err=True)


def _missing_rows(plan: ExperimentPlan, tasks: list[RunTask]) -> list[tuple[str, ...]]:
    keys = {task.run.key for task in tasks}
    rows: list[tuple[str, ...]] = []
    for condition in plan.conditions:
        missing_runs = (
            sum(plan.run(condition, treebank, seed).key in keys for seed in plan.seeds) for treebank in plan.treebanks
        )
        rows.append((condition.name, *map(str, missing_runs)))
    return rows


def _bar() -> Bar:
    """Return a progress bar that counts the estimated time of runs. It is disabled if standard error is no terminal."""
    console = Console(stderr=True)
    runs = TextColumn("{task.fields[runs]} runs")
    columns = (TextColumn("{task.description}"), BarColumn(), runs, TimeElapsedColumn(), TimeRemainingColumn())
    return Bar(*columns, console=console, disable=not console.is_terminal)


def _line(step: Progress) -> str:
    """Describe the result of a run in one line."""
    if step.record is None:
        return f"{step.done}/{step.total} {step.run.key} failed: {(step.failure or '').strip().splitlines()[-1]}"
    scores = ", ".join(f"{parse['scores']['LAS']['f1']:.2f}" for parse in step.record["parses"])
    return f"{step.done}/{step.total} {step.run.key}: LAS {scores}; {step.record['seconds']['all']:.0f} s"


def _show_results(folder: Path) -> None:
    results = read_results(folder)
    seeds = f"{len(results.seeds)} seed{'s' if len(results.seeds) > 1 else ''}"
    rows = [(condition, *(number(cell.mean()) for cell in results.of(condition))) for condition in results.conditions]
    show(f"LAS, mean of {seeds}", ("Condition", *results.treebanks), rows)
    typer.echo(f"\nTables and plots: gardenpath report {folder}", err=True)
