"""The server: UDPipe's REST API, an API of our own, and the page that shows a parser at work; for those who have FastAPI and uvicorn.

This module can be imported without them; the others of the package can not.
"""

from importlib.util import find_spec

from gardenpath.errors import UsageError


def require_web() -> None:
    """See to it that what the server stands on is there; raise `UsageError` if it is not."""
    for name in ("fastapi", "uvicorn"):
        if find_spec(name) is None:
            raise UsageError(f"the server needs {name}: pip install 'gardenpath[web]'")
