"""Being connected to a Ray cluster, or having a Ray of our own."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import ray

from gardenpath import plugins
from gardenpath.errors import UsageError

OBJECT_STORE = 100 * 2**20        # bytes, for a Ray of our own; it writes to disk what goes beyond


@contextmanager
def connected(workers: int | None) -> Iterator[None]:
    """Connect to the cluster at `RAY_ADDRESS`, or start a quiet one on this machine; leave it, or end it, afterwards. Who is connected stays so."""
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
        environment = {"env_vars": plugins.environment()}        # a Ray of our own inherits it
        ray.init(address, runtime_env=environment, log_to_driver=False, logging_level=logging.ERROR)
    except ConnectionError as error:
        raise UsageError(f"RAY_ADDRESS={address}: {error}; if the cluster asks for a token, tell Ray where it is by RAY_AUTH_TOKEN_PATH") from None


def cores() -> int:
    """How many cores the cluster has at the moment."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)))
