"""Work on a cluster, for those who have Ray.

This module can be imported without it; the others of the package can not.
"""

from importlib.util import find_spec

from gardenpath.errors import UsageError


def require_ray() -> None:
    """See to it that Ray is there; raise `UsageError` if it is not."""
    if find_spec("ray") is None:
        raise UsageError("work on a cluster needs Ray: pip install 'gardenpath[cluster]'")
