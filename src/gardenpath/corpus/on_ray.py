"""The Ray engine for shards of a corpus."""

from __future__ import annotations

import os
import platform
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import ray
from ray.exceptions import RayError

from gardenpath import version as package
from gardenpath.corpus.parsing import Counts
from gardenpath.corpus.plan import Shard
from gardenpath.corpus.work import Done, FetchedShard, Reader, Work
from gardenpath.crews.crew import MAX_ATTEMPTS, Crew, Ended, Running, share_out
from gardenpath.crews.parcels import Parcel, found, is_here, packed
from gardenpath.crews.ray import connected, cores
from gardenpath.errors import GardenpathError, InputError, UsageError
from gardenpath.files import replacing

LEAVING = 10               # seconds for idle actors to clean up

Files = dict[str, bytes]
Answer = tuple[Done, Files] | None       # None: the worker does not have the input files


def on_ray(work: Work, shards: Sequence[Shard], workers: int | None = None) -> Running[Shard, Done]:
    """Parse shards on a Ray cluster with `workers` workers (None: one per core), each with the model in its memory.

    The cluster is chosen by `gardenpath.crews.ray.connected`. A worker that can read the input files reads them;
    otherwise their content is sent to it. A worker that can write to the output folder writes to it; otherwise it
    sends the files back.
    """
    sign = work.folder / f".here-{os.urandom(8).hex()}"
    sign.touch()
    try:
        with connected(workers):
            actors = _Actors(work, sign, workers, len(shards))
            with closing(share_out(shards, actors, lambda done: done.following)) as ended:
                yield from ended
    finally:
        sign.unlink(missing_ok=True)


class _Actors(Crew[Shard, Done]):
    """Actors of the cluster. They get shards as soon as they have started."""

    def __init__(self, work: Work, sign: Path, workers: int | None, shards: int) -> None:
        self._work = work
        self._sign = sign
        self._workers = workers
        self._shards = shards
        self._parcel = packed(work.model)
        self._starting: dict[ray.ObjectRef, Any] = {}
        self._idle: list[Any] = []
        self._busy: dict[ray.ObjectRef, tuple[Any, Shard, int]] = {}
        self._readers: dict[Any, Reader] = {}            # for actors that do not have the input files
        self._failed_starts = 0                          # in a row

    def has_room(self) -> bool:
        """Return whether an actor is idle. Start as many as the cluster has room for now."""
        there = len(self._starting) + len(self._idle) + len(self._busy)
        for _ in range(min(self._workers or cores(), self._shards) - there):
            actor = _RemoteActor.remote(self._work, self._parcel, self._sign.name, package.__version__)
            self._starting[actor.begin.remote()] = actor
        return bool(self._idle)

    def submit(self, task: Shard, attempt: int) -> None:
        """Submit a shard to the actor that became idle last."""
        actor = self._idle.pop()
        self._busy[actor.do.remote(task)] = actor, task, attempt

    def is_busy(self) -> bool:
        """Return whether any actor is parsing a shard."""
        return bool(self._busy)

    def wait(self) -> list[Ended[Shard, Done]]:
        """Wait until an actor has started, finished its shard or died."""
        [reference], _ = ray.wait([*self._busy, *self._starting])
        if reference in self._starting:
            self._started(reference)
            return []
        actor, shard, attempt = self._busy.pop(reference)
        try:
            answer: Answer = ray.get(reference)
        except RayError as error:
            self._readers.pop(actor, None)
            return [Ended(shard, attempt, death=type(error).__name__)]
        if answer is None:
            return self._send(actor, shard, attempt)
        self._idle.append(actor)
        done, files = answer
        for name, content in files.items():
            with replacing(self._work.folder / name) as file:
                file.write(content)
        return [Ended(shard, attempt, done)]

    def _started(self, reference: ray.ObjectRef) -> None:
        actor = self._starting.pop(reference)
        try:
            problem = ray.get(reference)
        except RayError as error:
            self._failed_starts += 1
            if self._failed_starts >= MAX_ATTEMPTS:
                raise InputError(
                    f"workers of the cluster die when they start: {error}; check the machines of the cluster"
                ) from None
            return
        if problem:
            raise UsageError(problem)
        self._failed_starts = 0
        self._idle.append(actor)

    def _send(self, actor: Any, shard: Shard, attempt: int) -> list[Ended[Shard, Done]]:
        """Send a shard with its content to an actor that does not have the files."""
        try:
            fetched = self._readers.setdefault(actor, Reader(self._work.settings)).fetch(shard)
        except (GardenpathError, OSError) as error:
            self._idle.append(actor)
            return [Ended(shard, attempt, Done(shard, Counts(), failure=str(error)))]
        self._busy[actor.do.remote(shard, fetched)] = actor, shard, attempt
        return []

    def stop(self) -> None:
        """Stop all actors. Idle actors remove their temporary files first."""
        if self._idle:
            ray.wait([actor.leave.remote() for actor in self._idle], num_returns=len(self._idle), timeout=LEAVING)
        for actor in (*self._starting.values(), *self._idle, *(actor for actor, _, _ in self._busy.values())):
            ray.kill(actor)


class _Actor:
    """Parses shards on the cluster, with a model that is loaded once."""

    def __init__(self, work: Work, parcel: Parcel, sign: str, version: str) -> None:
        self._version = version
        self._work = work
        self._shares_output = (work.folder / sign).exists()
        self._own: tempfile.TemporaryDirectory[str] | None = None
        if self._shares_output and is_here(work.model, parcel):
            return
        self._own = tempfile.TemporaryDirectory()
        output = work.folder if self._shares_output else Path(self._own.name) / "output"
        output.mkdir(exist_ok=True)
        self._work = Work(found(work.model, parcel, Path(self._own.name)), work.settings, output)

    def begin(self) -> str | None:
        """Return None if the actor can start, or the reason why it cannot."""
        if package.__version__ != self._version:
            there = f"{platform.node()} has gardenpath {package.__version__}"
            return f"{there}, the corpus {self._version}; install the same version on all machines of the cluster"
        return None

    def do(self, shard: Shard, fetched: FetchedShard | None = None) -> Answer:
        """Parse a shard and return the result, with the output files if the output folder is not shared.

        Return None if the input files are not on this machine.
        """
        if fetched is None and not all(segment.input.is_here() for segment in shard.segments):
            return None
        done = self._work.attempt(shard, fetched)
        return done, {} if self._shares_output else self._taken()

    def leave(self) -> None:
        """Remove the temporary files of this corpus."""
        if self._own:
            self._own.cleanup()

    def _taken(self) -> Files:
        """Remove and return the output files, the part last, in the order in which they are written."""
        files = {}
        for path in sorted(self._work.folder.iterdir()):
            if not path.name.startswith("."):
                files[path.name] = path.read_bytes()
            path.unlink()
        return files


_RemoteActor = ray.remote(num_cpus=1, max_restarts=0)(_Actor)        # no restarts: `share_out` counts the attempts
