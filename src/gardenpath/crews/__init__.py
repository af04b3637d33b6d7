"""Crews: groups of workers that do independent tasks, as processes on this machine or on a Ray cluster.

This module, `crew` and `processes` can be imported without Ray. `ray` and `parcels` need it.
"""

from importlib.util import find_spec

from gardenpath.errors import UsageError


def require_ray() -> None:
    """Raise `UsageError` if Ray is not installed."""
    if find_spec("ray") is None:
        raise UsageError("the engine `ray` needs Ray; install it with: pip install 'gardenpath[cluster]'")
