"""Shards of a corpus on a Ray cluster: an engine beside the one that has processes on this machine."""

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

import gardenpath
from gardenpath.crews.ray import connected, cores
from gardenpath.crews.parcels import Parcel, found, is_here, packed
from gardenpath.corpus.engines import following
from gardenpath.corpus.parsing import Counts
from gardenpath.corpus.plan import Shard
from gardenpath.corpus.work import Done, Fetched, Reader, Work
from gardenpath.crews.crew import TRIES, Crew, Ended, Running, share_out
from gardenpath.errors import GardenpathError, InputError, UsageError
from gardenpath.files import replacing

FAREWELL = 10              # seconds

Files = dict[str, bytes]
Answer = tuple[Done, Files] | None       # None: the worker does not have the files of the shard


def on_ray(work: Work, shards: Sequence[Shard], workers: int | None = None) -> Running[Shard, Done]:
    """Do shards on a Ray cluster, by so many workers (None: as many as it has cores), each with the model in its memory.

    The cluster is that of `gardenpath.experiments.on_ray`. Workers that see the inputs read them, and are sent their content if they do not; those that see the
    output folder write to it, and send back what they would have written if they do not.
    """
    sign = work.folder / f".here-{os.urandom(8).hex()}"
    sign.touch()
    try:
        with connected(workers), closing(share_out(shards, _Actors(work, sign, workers, len(shards)), following)) as ended:
            yield from ended
    finally:
        sign.unlink(missing_ok=True)


class _Actors(Crew[Shard, Done]):
    """Actors of the cluster, which are given shards as soon as they have begun."""

    def __init__(self, work: Work, sign: Path, workers: int | None, shards: int) -> None:
        self._work = work
        self._sign = sign
        self._workers = workers
        self._shards = shards
        self._parcel = packed(work.model)
        self._starting: dict[ray.ObjectRef, Any] = {}
        self._idle: list[Any] = []
        self._busy: dict[ray.ObjectRef, tuple[Any, Shard, int]] = {}
        self._readers: dict[Any, Reader] = {}            # for those that do not have the files
        self._stillborn = 0                              # how many have died in a row before they began

    def has_room(self) -> bool:
        """Is somebody idle? As many are asked for as the cluster, as large as it is now, has room for."""
        there = len(self._starting) + len(self._idle) + len(self._busy)
        for _ in range(min(self._workers or cores(), self._shards) - there):
            actor = _RemoteActor.remote(self._work, self._parcel, self._sign.name, gardenpath.__version__)
            self._starting[actor.begin.remote()] = actor
        return bool(self._idle)

    def give(self, task: Shard, tries: int) -> None:
        """Give a shard to the actor that was idle for the shortest time."""
        actor = self._idle.pop()
        self._busy[actor.do.remote(task)] = actor, task, tries

    def is_busy(self) -> bool:
        """Is any actor at a shard?"""
        return bool(self._busy)

    def wait(self) -> list[Ended[Shard, Done]]:
        """Wait until an actor has begun, has ended its shard, or has died."""
        [reference], _ = ray.wait([*self._busy, *self._starting])
        if reference in self._starting:
            self._welcome(reference)
            return []
        actor, shard, tries = self._busy.pop(reference)
        try:
            answer: Answer = ray.get(reference)
        except RayError as error:
            self._readers.pop(actor, None)
            return [Ended(shard, tries, death=type(error).__name__)]
        if answer is None:
            return self._send(actor, shard, tries)
        self._idle.append(actor)
        done, files = answer
        for name, content in files.items():
            with replacing(self._work.folder / name) as file:
                file.write(content)
        return [Ended(shard, tries, done)]

    def _welcome(self, reference: ray.ObjectRef) -> None:
        actor = self._starting.pop(reference)
        try:
            refusal = ray.get(reference)
        except RayError as error:
            self._stillborn += 1
            if self._stillborn >= TRIES:
                raise InputError(f"workers of the cluster die as they begin: {error}") from None
            return
        if refusal:
            raise UsageError(refusal)
        self._stillborn = 0
        self._idle.append(actor)

    def _send(self, actor: Any, shard: Shard, tries: int) -> list[Ended[Shard, Done]]:
        """Send an actor the content of a shard that it does not have the files of."""
        try:
            fetched = self._readers.setdefault(actor, Reader(self._work.settings)).fetch(shard)
        except (GardenpathError, OSError) as error:
            self._idle.append(actor)
            return [Ended(shard, tries, Done(shard, Counts(), failure=str(error)))]
        self._busy[actor.do.remote(shard, fetched)] = actor, shard, tries
        return []

    def dismiss(self) -> None:
        """End all actors; those that are idle leave nothing behind."""
        if self._idle:
            ray.wait([actor.leave.remote() for actor in self._idle], num_returns=len(self._idle), timeout=FAREWELL)
        for actor in (*self._starting.values(), *self._idle, *(actor for actor, _, _ in self._busy.values())):
            ray.kill(actor)


class _Actor:
    """On the cluster: does shards with a model that is loaded once."""

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
        """Say that work can begin, or why not."""
        if gardenpath.__version__ != self._version:
            there = f"{platform.node()} has gardenpath {gardenpath.__version__}, the corpus {self._version}"
            return f"{there}; install the same version on all machines of the cluster"
        return None

    def do(self, shard: Shard, fetched: Fetched | None = None) -> Answer:
        """Do a shard: what came of it, and the files that others cannot see; None if its own files are not here."""
        if fetched is None and not all(segment.input.is_here() for segment in shard.segments):
            return None
        done = self._work.attempt(shard, fetched)
        return done, {} if self._shares_output else self._taken()

    def leave(self) -> None:
        """Remove what is here for this corpus alone."""
        if self._own:
            self._own.cleanup()

    def _taken(self) -> Files:
        """What was written here and is wanted elsewhere: the part comes last, as it does when it is written."""
        files = {}
        for path in sorted(self._work.folder.iterdir()):
            if not path.name.startswith("."):
                files[path.name] = path.read_bytes()
            path.unlink()
        return files


_RemoteActor = ray.remote(num_cpus=1, max_restarts=0)(_Actor)        # who has died stays dead: tries are counted by us
