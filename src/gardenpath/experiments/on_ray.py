"""The Ray engine for runs of experiments."""

from __future__ import annotations

import json
import platform
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import ray
from ray.exceptions import RayError, RayTaskError

from gardenpath import version as package
from gardenpath.crews.crew import Crew, Ended, share_out
from gardenpath.crews.parcels import Parcels, found, packed
from gardenpath.crews.ray import connected, cores
from gardenpath.experiments.engines import Attempt, RunOutcome, RunTask, attempt_run, outcome_of
from gardenpath.experiments.plan import Run
from gardenpath.experiments.run import RECORD, Files, to_json

AHEAD = 2                         # submitted runs per core: one to run, one to make an autoscaling cluster grow


def on_ray(tasks: Sequence[RunTask], workers: int | None = None) -> Iterator[RunOutcome]:
    """Do runs on a Ray cluster, `workers` at a time (None: one per core), each in a new process.

    A run whose worker dies is retried. The cluster is the one at `RAY_ADDRESS`, or the one that the caller is
    connected to; without either, a local Ray is started for the job. Files that another machine does not have are
    sent to it.
    """
    with connected(workers), closing(share_out(tasks, _Runs(workers))) as ended:
        for each in ended:
            yield outcome_of(each)


class _Runs(Crew[RunTask, Attempt]):
    """The cluster, which assigns a worker to every submitted run."""

    def __init__(self, workers: int | None) -> None:
        self._workers = workers
        self._running: dict[ray.ObjectRef, tuple[RunTask, int]] = {}
        self._parcels: Parcels = {}

    def has_room(self) -> bool:
        """Return whether more runs should be submitted to the cluster at its current size."""
        return len(self._running) < (self._workers or AHEAD * cores())

    def submit(self, task: RunTask, attempt: int) -> None:
        """Submit a run to the cluster. Each file is put into the object store once."""
        for path in task.run.files():
            if path not in self._parcels:
                self._parcels[path] = packed(path)
        parcels = {path: self._parcels[path] for path in task.run.files()}
        self._running[_remote_work.remote(task, parcels, package.__version__)] = task, attempt

    def is_busy(self) -> bool:
        """Return whether any submitted run is unfinished."""
        return bool(self._running)

    def wait(self) -> list[Ended[RunTask, Attempt]]:
        """Wait until a run has ended or its worker has died."""
        [reference], _ = ray.wait(list(self._running))
        task, attempt = self._running.pop(reference)
        try:
            return [Ended(task, attempt, ray.get(reference))]
        except RayTaskError as error:        # the run could not start; a retry would fail the same way
            return [Ended(task, attempt, (None, f"{type(error.cause).__name__}: {error.cause}"))]
        except RayError as error:
            return [Ended(task, attempt, death=type(error).__name__)]

    def stop(self) -> None:
        """Cancel the submitted runs."""
        for reference in self._running:
            ray.cancel(reference, force=True)


def _work(task: RunTask, parcels: Parcels, version: str) -> Attempt:
    """Do a run on the cluster, with files that are identical to those of the driver."""
    if package.__version__ != version:
        there = f"{platform.node()} has gardenpath {package.__version__}, the experiment {version}"
        return None, f"{there}; install the same version on all machines of the cluster"
    with tempfile.TemporaryDirectory() as folder:
        run = task.run.moved({path: found(path, parcel, Path(folder)) for path, parcel in parcels.items()})
        files, failure = attempt_run(RunTask(run, task.keep_model))
    if files is not None and run != task.run:
        files = _as_asked(files, task.run)
    return files, failure


# One call per process, so that memory is measured for each run alone. `share_out` counts the attempts.
_remote_work = ray.remote(num_cpus=1, max_calls=1, max_retries=0)(_work)


def _as_asked(files: Files, run: Run) -> Files:
    """Replace the settings in a record by those of the run as submitted, since file paths differ on this machine."""
    record = json.loads(files[RECORD])
    record["settings"] = run.settings.for_treebank(record["words"]).to_flat_dict()
    return {**files, RECORD: to_json(record)}
