"""Runs of experiments on a Ray cluster: an engine beside the one that has processes on this machine."""

from __future__ import annotations

import json
import platform
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import ray
from ray.exceptions import RayError, RayTaskError

import gardenpath
from gardenpath.crews.ray import connected, cores
from gardenpath.crews.parcels import Parcels, found, packed
from gardenpath.crews.crew import Crew, Ended, share_out
from gardenpath.experiments.engines import Attempt, Outcome, Task, attempt, outcome_of
from gardenpath.experiments.plan import Run
from gardenpath.experiments.run import RECORD, Files, to_json

AHEAD = 2                         # runs submitted for each core: one at work, one that shows a growing cluster what is wanted


def on_ray(tasks: Sequence[Task], workers: int | None = None) -> Iterator[Outcome]:
    """Do tasks on a Ray cluster, so many at a time (None: as many as it has cores), each in a process of its own; one whose worker dies is tried again.

    The cluster is the one at `RAY_ADDRESS`, or the one that the caller is connected to; without either, a Ray of our own on this machine, for as long as it
    takes. Files that another machine does not have are sent to it.
    """
    with connected(workers), closing(share_out(tasks, _Runs(workers))) as ended:
        for each in ended:
            yield outcome_of(each)


class _Runs(Crew[Task, Attempt]):
    """The cluster, which finds a worker for every run that it is given."""

    def __init__(self, workers: int | None) -> None:
        self._workers = workers
        self._running: dict[ray.ObjectRef, tuple[Task, int]] = {}
        self._parcels: Parcels = {}

    def has_room(self) -> bool:
        """Should the cluster, as large as it is now, know of more runs?"""
        return len(self._running) < (self._workers or AHEAD * cores())

    def give(self, task: Task, tries: int) -> None:
        """Give a task to the cluster, with its files, which are put into the object store once."""
        for path in task.run.files():
            if path not in self._parcels:
                self._parcels[path] = packed(path)
        parcels = {path: self._parcels[path] for path in task.run.files()}
        self._running[_remote_work.remote(task, parcels, gardenpath.__version__)] = task, tries

    def is_busy(self) -> bool:
        """Is any run submitted?"""
        return bool(self._running)

    def wait(self) -> list[Ended[Task, Attempt]]:
        """Wait until a task has ended, or its worker has died."""
        [reference], _ = ray.wait(list(self._running))
        task, tries = self._running.pop(reference)
        try:
            return [Ended(task, tries, ray.get(reference))]
        except RayTaskError as error:        # it could not even begin, and could not the next time
            return [Ended(task, tries, (None, f"{type(error.cause).__name__}: {error.cause}"))]
        except RayError as error:
            return [Ended(task, tries, death=type(error).__name__)]

    def dismiss(self) -> None:
        """Stop what is under way."""
        for reference in self._running:
            ray.cancel(reference, force=True)


def _work(task: Task, parcels: Parcels, version: str) -> Attempt:
    """On the cluster: do the task, with files that are the same as where it comes from."""
    if gardenpath.__version__ != version:
        there = f"{platform.node()} has gardenpath {gardenpath.__version__}, the experiment {version}"
        return None, f"{there}; install the same version on all machines of the cluster"
    with tempfile.TemporaryDirectory() as folder:
        run = task.run.moved({path: found(path, parcel, Path(folder)) for path, parcel in parcels.items()})
        files, failure = attempt(Task(run, task.keep_model))
    if files is not None and run != task.run:
        files = _as_asked(files, task.run)
    return files, failure


# One call a process, so that memory is measured for each run alone. Tries are counted by us, whatever a worker has died of.
_remote_work = ray.remote(num_cpus=1, max_calls=1, max_retries=0)(_work)


def _as_asked(files: Files, run: Run) -> Files:
    """The files of a record with the settings that were asked for: they may name files, which were elsewhere here."""
    record = json.loads(files[RECORD]) | {"settings": run.settings.to_flat_dict()}
    return {**files, RECORD: to_json(record)}
