"""Where shards are done: in processes on this machine, or on a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from gardenpath.corpus.plan import Shard
from gardenpath.corpus.work import Done, Work
from gardenpath.crews.crew import Processes, Running, engine_named, share_out

Engine = Callable[[Work, Sequence[Shard], int | None], Running[Shard, Done]]


def engine_of(name: str) -> Engine:
    """An engine by its name: `local`, or `ray`, which the extra `cluster` has."""
    return engine_named(name, local, "gardenpath.corpus.on_ray")


def local(work: Work, shards: Sequence[Shard], workers: int | None = None) -> Running[Shard, Done]:
    """Do shards in so many processes (None: as many as there are cores), which share the memory that the model takes."""
    return share_out(shards, Processes(work, workers or os.cpu_count() or 1), following)


def following(done: Done) -> Shard | None:
    """The part that comes after one that is done."""
    return done.following
