"""Where runs are done: engines take runs and yield what came of each as it ends. This one has processes on this machine."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from gardenpath.crews.crew import Ended, Processes, engine_named, share_out, told
from gardenpath.errors import GardenpathError
from gardenpath.experiments.plan import Run
from gardenpath.experiments.run import Files, perform


@dataclass(frozen=True, slots=True)
class Task:
    """A run to do, and whether its model is wanted."""

    run: Run
    keep_model: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a task: the files of its record, or why there are none; and how often it was tried."""

    task: Task
    files: Files | None = None
    failure: str | None = None
    tries: int = 1


Attempt = tuple[Files | None, str | None]        # the files of a record, or why there are none
Engine = Callable[[Sequence[Task], int | None], Iterator[Outcome]]


def engine_of(name: str) -> Engine:
    """An engine by its name: `local`, or `ray`, which the extra `cluster` has."""
    return engine_named(name, local, "gardenpath.experiments.on_ray")


def attempt(task: Task) -> Attempt:
    """Do a task: its files, or what was wrong with it, which would be wrong again."""
    try:
        return perform(task.run, task.keep_model), None
    except GardenpathError as error:
        return None, str(error)
    except Exception:
        return None, traceback.format_exc()


def local(tasks: Sequence[Task], workers: int | None = None) -> Iterator[Outcome]:
    """Do tasks in so many processes at a time (None: as many as there are cores), each in a process of its own; one that dies is tried again."""
    crew = Processes(attempt, workers or os.cpu_count() or 1, once=True)
    with closing(share_out(tasks, crew)) as ended:
        for each in ended:
            yield outcome_of(each)


def outcome_of(ended: Ended[Task, Attempt]) -> Outcome:
    """What came of a task that a crew was given."""
    files, failure = (None, told(ended)) if ended.result is None else ended.result
    return Outcome(ended.task, files, failure, ended.tries)
