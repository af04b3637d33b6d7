"""Engines that do runs and yield the outcome of each when it ends: processes on this machine, or a Ray cluster."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from gardenpath.crews.crew import Ended, check_engine, share_out
from gardenpath.crews.processes import Processes
from gardenpath.errors import GardenpathError
from gardenpath.experiments.plan import Run
from gardenpath.experiments.run import Files, perform


@dataclass(frozen=True, slots=True)
class RunTask:
    """A run to do, and whether to keep its model."""

    run: Run
    keep_model: bool = False


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """The outcome of a task: the files of its record, or the reason why it failed; and the number of attempts."""

    task: RunTask
    files: Files | None = None
    failure: str | None = None
    attempts: int = 1


Attempt = tuple[Files | None, str | None]        # the files of a record, or the reason why there are none
Engine = Callable[[Sequence[RunTask], int | None], Iterator[RunOutcome]]


def engine_of(name: str) -> Engine:
    """Return an engine by name: `local`, or `ray`, which needs the extra `cluster`."""
    check_engine(name)
    if name == "ray":
        from gardenpath.experiments.on_ray import on_ray

        return on_ray
    return local


def attempt_run(task: RunTask) -> Attempt:
    """Do a run. Return its files, or an error message if it failed in a way that would repeat itself."""
    try:
        return perform(task.run, task.keep_model), None
    except GardenpathError as error:
        return None, str(error)
    except Exception:
        return None, traceback.format_exc()


def local(tasks: Sequence[RunTask], workers: int | None = None) -> Iterator[RunOutcome]:
    """Do runs on this machine, `workers` at a time (None: one per core), each in a new process.

    A run whose process dies is retried.
    """
    crew = Processes(attempt_run, workers or os.cpu_count() or 1, once=True)
    with closing(share_out(tasks, crew)) as ended:
        for each in ended:
            yield outcome_of(each)


def outcome_of(ended: Ended[RunTask, Attempt]) -> RunOutcome:
    """Return the outcome of a finished task."""
    files, failure = (None, ended.failure()) if ended.result is None else ended.result
    return RunOutcome(ended.task, files, failure, ended.attempts)
