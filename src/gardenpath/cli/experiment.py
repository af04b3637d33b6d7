"""`gardenpath experiment`: a grid of treebanks, systems, oracles, models and seeds."""

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
from gardenpath.experiments.engines import Task, engine_of
from gardenpath.experiments.estimate import estimate, seconds_of
from gardenpath.experiments.experiment import Progress, missing, run_experiment
from gardenpath.experiments.grid import read_plan
from gardenpath.experiments.plan import Plan
from gardenpath.experiments.records import FAILURES, Records
from gardenpath.experiments.results import read_results
from gardenpath.experiments.speed import measure_speed


def command(
    settings: Annotated[Path, typer.Argument(help="What to run, a TOML file; see the folder `experiments` for ready-made ones.", metavar="SETTINGS")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Where records go; experiments there share their runs.", metavar="FOLDER")] = Path("results"),
    treebanks: Annotated[Path | None, typer.Option(help="Where the folders of treebanks are, if not beside SETTINGS.", metavar="FOLDER")] = None,
    engine: Annotated[str, typer.Option(help=f"Where runs are done: {' or '.join(f'`{name}`' for name in ENGINES)}, a cluster.")] = "local",
    workers: Annotated[int | None, typer.Option("--workers", "-w", min=1, help="Runs at the same time.", show_default="as many as there are cores")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would run, and how long it should take.")] = False,
) -> None:
    """Run every combination of treebanks, systems, oracles, models and seeds that a settings file asks for, and record each run.

    Stop it whenever you like: the same command goes on with what is missing. `gardenpath report` then makes tables and plots.

    Example: gardenpath experiment oracles.toml --treebanks ud --output results
    """
    chosen = engine_of(engine)
    plan = read_plan(settings, treebanks)
    records = Records(output)
    tasks = missing(plan, records)
    _tell(plan, tasks, records, workers)
    if dry_run:
        show("Runs that are missing", ("Condition", *(treebank.name for treebank in plan.treebanks)), _missing_rows(plan, tasks))
        return
    failures = 0
    try:
        with _bar() as bar:
            row = bar.add_task(plan.name, total=sum(seconds_of(task.run) for task in tasks), runs=f"0/{len(tasks)}")
            for step in run_experiment(plan, output, engine=chosen, workers=workers, command=shlex.join(["gardenpath", *sys.argv[1:]])):
                failures += step.failure is not None
                bar.update(row, advance=seconds_of(step.run), runs=f"{step.done}/{step.total}")
                if step.failure or not bar.console.is_terminal:
                    bar.console.print(_line(step), **PLAIN)
        if plan.speed and not failures:
            for name in measure_speed(plan, output):
                typer.echo(f"measured speed on {name}", err=True)
    except KeyboardInterrupt:
        typer.echo("gardenpath: stopped; what has ended is recorded, and the same command goes on with the rest", err=True)
        raise typer.Exit(130) from None
    if failures:
        raise InputError(f"{failures} of {len(tasks)} runs failed, for reasons told in {output / FAILURES}; the same command tries them again")
    _show_results(output / plan.name)


def _tell(plan: Plan, tasks: list[Task], records: Records, workers: int | None) -> None:
    total = len(plan.runs())
    seconds = estimate(tasks, records, workers or os.cpu_count() or 1)
    time = f"{seconds / 3600:.1f} hours" if seconds > 5400 else f"{seconds / 60:.0f} minutes" if seconds > 90 else f"{seconds:.0f} seconds"
    typer.echo(f"{plan.title}: {total} runs, {total - len(tasks)} recorded, {len(tasks)} to do" + (f", about {time}" if tasks else ""), err=True)


def _missing_rows(plan: Plan, tasks: list[Task]) -> list[tuple[str, ...]]:
    keys = {task.run.key for task in tasks}
    return [
        (condition.name, *(str(sum(plan.run(condition, treebank, seed).key in keys for seed in plan.seeds)) for treebank in plan.treebanks))
        for condition in plan.conditions
    ]


def _bar() -> Bar:
    """A bar by the time that runs should take, for terminals; elsewhere each run has its line."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[runs]} runs"), TimeElapsedColumn(), TimeRemainingColumn())
    return Bar(*columns, console=console, disable=not console.is_terminal)


def _line(step: Progress) -> str:
    """What became of a run."""
    if step.record is None:
        return f"{step.done}/{step.total} {step.run.key} failed: {(step.failure or '').strip().splitlines()[-1]}"
    scores = ", ".join(f"{parse['attachment']['las']:.2f}" for parse in step.record["parses"])
    return f"{step.done}/{step.total} {step.run.key}: LAS {scores}; {step.record['seconds']['all']:.0f} s"


def _show_results(folder: Path) -> None:
    results = read_results(folder)
    rows = [(condition, *(number(cell.mean()) for cell in results.of(condition))) for condition in results.conditions]
    show(f"LAS, mean of {len(results.seeds)} seed{'s' if len(results.seeds) > 1 else ''}", ("Condition", *results.treebanks), rows)
    typer.echo(f"\nTables and plots: gardenpath report {folder}", err=True)
