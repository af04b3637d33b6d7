"""The connection to a Ray cluster, or to a local Ray started for the job."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import ray

from gardenpath import plugins
from gardenpath.errors import UsageError

OBJECT_STORE = 100 * 2**20        # bytes, for a local Ray; it spills the rest to disk


@contextmanager
def connected(workers: int | None) -> Iterator[None]:
    """Connect to the cluster at `RAY_ADDRESS`, or start a local Ray without log output.

    At the end, disconnect or stop it. If there is a connection already, use it and leave it open.
    """
    if ray.is_initialized():
        yield
        return
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")        # send no usage statistics
    logging.getLogger("ray").setLevel(logging.ERROR)
    address = os.environ.get("RAY_ADDRESS")
    if address:
        _join(address)
    else:
        ray.init(
            "local",
            num_cpus=workers,
            include_dashboard=False,
            object_store_memory=OBJECT_STORE,
            log_to_driver=False,
            logging_level=logging.ERROR,
        )
    try:
        yield
    finally:
        ray.shutdown()


def _join(address: str) -> None:
    """Connect to a cluster. Fail at once if it cannot be reached; Ray itself would wait many minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        if host:                         # otherwise the address is `auto`, which Ray resolves
            socket.create_connection((host, int(port)), timeout=10).close()
    except (OSError, ValueError):
        raise UsageError(
            f"there is no Ray cluster at RAY_ADDRESS={address}; start it (`ray start --head`), or unset RAY_ADDRESS to "
            "use "
            "this machine"
        ) from None
    try:
        environment = {"env_vars": plugins.environment()}        # a Ray of our own inherits it
        ray.init(address, runtime_env=environment, log_to_driver=False, logging_level=logging.ERROR)
    except ConnectionError as error:
        raise UsageError(
            f"cannot connect to RAY_ADDRESS={address}: {error}; if the cluster requires a token, set "
            "RAY_AUTH_TOKEN_PATH"
        ) from None


def cores() -> int:
    """Return the number of cores that the cluster has now."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)))
