"""Engines that parse shards: processes on this machine, or a Ray cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from gardenpath.corpus.plan import Shard
from gardenpath.corpus.work import Done, Work
from gardenpath.crews.crew import Running, check_engine, share_out
from gardenpath.crews.processes import Processes

Engine = Callable[[Work, Sequence[Shard], int | None], Running[Shard, Done]]


def engine_of(name: str) -> Engine:
    """Return an engine by name: `local`, or `ray`, which needs the extra `cluster`."""
    check_engine(name)
    if name == "ray":
        from gardenpath.corpus.on_ray import on_ray

        return on_ray
    return local


def local(work: Work, shards: Sequence[Shard], workers: int | None = None) -> Running[Shard, Done]:
    """Parse shards in `workers` processes (None: one per core), which share the memory of the model."""
    return share_out(shards, Processes(work, workers or os.cpu_count() or 1), lambda done: done.following)
