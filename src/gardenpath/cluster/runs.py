"""Runs of experiments on a Ray cluster: an engine beside the one that has processes on this machine."""

from __future__ import annotations

import json
import logging
import os
import platform
import socket
import tempfile
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import ray
from ray.exceptions import RayError, RayTaskError

import gardenpath
from gardenpath.errors import UsageError
from gardenpath.experiments.engines import TRIES, Outcome, Task, attempt
from gardenpath.experiments.plan import Run, digest
from gardenpath.experiments.run import RECORD, Files, to_json

OBJECT_STORE = 100 * 2**20        # bytes, for a Ray of our own; it writes to disk what goes beyond
AHEAD = 2                         # runs submitted for each core: one at work, one that shows a growing cluster what is wanted


@dataclass(frozen=True, slots=True)
class Parcel:
    """A file on its way to other machines: the SHA-256 of its content, and the content in the object store."""

    digest: str
    content: ray.ObjectRef


Parcels = dict[Path, Parcel]


@dataclass(frozen=True, slots=True)
class _Submitted:
    """A task that the cluster has, for the how-manieth time."""

    task: Task
    tries: int


def on_ray(tasks: Sequence[Task], workers: int | None = None) -> Iterator[Outcome]:
    """Do tasks on a Ray cluster, so many at a time (None: as many as it has cores), each in a process of its own; one whose worker dies is tried again.

    The cluster is the one at `RAY_ADDRESS`, or the one that the caller is connected to; without either, a Ray of our own on this machine, for as long as it
    takes. Files that another machine does not have are sent to it.
    """
    with _connected(workers):
        waiting = deque(_Submitted(task, 1) for task in tasks)
        running: dict[ray.ObjectRef, _Submitted] = {}
        parcels: Parcels = {}
        try:
            while waiting or running:
                while waiting and len(running) < (workers or _room()):
                    submitted = waiting.popleft()
                    running[_submit(submitted.task, parcels)] = submitted
                ended, outcome = _next(running)
                if outcome is None:
                    waiting.appendleft(_Submitted(ended.task, ended.tries + 1))
                else:
                    yield outcome
        finally:
            for reference in running:
                ray.cancel(reference, force=True)


@contextmanager
def _connected(workers: int | None) -> Iterator[None]:
    """Connect to the cluster there is, or start a quiet one on this machine; leave it, or end it, afterwards."""
    if ray.is_initialized():
        yield
        return
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")        # nothing is reported to anybody
    logging.getLogger("ray").setLevel(logging.ERROR)
    address = os.environ.get("RAY_ADDRESS")
    if address:
        _join(address)
    else:
        ray.init("local", num_cpus=workers, include_dashboard=False, object_store_memory=OBJECT_STORE, log_to_driver=False, logging_level=logging.ERROR)
    try:
        yield
    finally:
        ray.shutdown()


def _join(address: str) -> None:
    """Connect to a cluster; fail at once where nobody answers, which takes Ray itself many minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        if host:                         # otherwise it is `auto`, and Ray knows where to look
            socket.create_connection((host, int(port)), timeout=10).close()
    except (OSError, ValueError):
        raise UsageError(f"no Ray cluster at RAY_ADDRESS={address}; start it (`ray start --head`), or unset RAY_ADDRESS to use this machine") from None
    try:
        ray.init(address, log_to_driver=False, logging_level=logging.ERROR)
    except ConnectionError as error:
        raise UsageError(f"RAY_ADDRESS={address}: {error}; if the cluster asks for a token, tell Ray where it is by RAY_AUTH_TOKEN_PATH") from None


def _room() -> int:
    """How many runs the cluster, as large as it is now, should know of."""
    return AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))


def _submit(task: Task, parcels: Parcels) -> ray.ObjectRef:
    """Give a task to the cluster, with its files, which are put into the object store once."""
    for path in task.run.files():
        if path not in parcels:
            parcels[path] = Parcel(digest(path), ray.put(path.read_bytes()))
    return _remote_work.remote(task, {path: parcels[path] for path in task.run.files()}, gardenpath.__version__)


def _next(running: dict[ray.ObjectRef, _Submitted]) -> tuple[_Submitted, Outcome | None]:
    """Wait until a task has ended: the task and what came of it; None if its worker died and it may be tried again."""
    [reference], _ = ray.wait(list(running))
    submitted = running.pop(reference)
    try:
        files, failure = ray.get(reference)
    except RayTaskError as error:        # it could not even begin, and could not the next time
        files, failure = None, f"{type(error.cause).__name__}: {error.cause}"
    except RayError as error:
        if submitted.tries < TRIES:
            return submitted, None
        files, failure = None, f"the worker died {submitted.tries} times ({type(error).__name__}); is there enough memory?"
    return submitted, Outcome(submitted.task, files, failure, submitted.tries)


def _work(task: Task, parcels: Parcels, version: str) -> tuple[Files | None, str | None]:
    """On the cluster: do the task, with files that are the same as where it comes from."""
    if gardenpath.__version__ != version:
        there = f"{platform.node()} has gardenpath {gardenpath.__version__}, the experiment {version}"
        return None, f"{there}; install the same version on all machines of the cluster"
    with tempfile.TemporaryDirectory() as folder:
        run = task.run.moved({path: _found(path, parcel, Path(folder)) for path, parcel in parcels.items()})
        files, failure = attempt(Task(run, task.keep_model))
    if files is not None and run != task.run:
        files = _as_asked(files, task.run)
    return files, failure


# One call a process, so that memory is measured for each run alone. Tries are counted by us, whatever a worker has died of.
_remote_work = ray.remote(num_cpus=1, max_calls=1, max_retries=0)(_work)


def _found(path: Path, parcel: Parcel, folder: Path) -> Path:
    """Where this machine has a file: at its path, if that is the same file; otherwise it is unpacked in a folder."""
    if path.is_file() and digest(path) == parcel.digest:
        return path
    unpacked = folder / parcel.digest / path.name
    unpacked.parent.mkdir(exist_ok=True)
    unpacked.write_bytes(ray.get(parcel.content))
    return unpacked


def _as_asked(files: Files, run: Run) -> Files:
    """The files of a record with the settings that were asked for: they may name files, which were elsewhere here."""
    record = json.loads(files[RECORD]) | {"settings": run.settings.to_dict()}
    return {**files, RECORD: to_json(record)}
