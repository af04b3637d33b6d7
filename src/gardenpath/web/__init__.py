"""The server: UDPipe's REST API, a JSON API, and a web page that shows the parser step by step.

The modules of this package need FastAPI and uvicorn. Only this module can be imported without them.
"""

from importlib.util import find_spec

from gardenpath.errors import UsageError


def require_web() -> None:
    """Raise `UsageError` if FastAPI or uvicorn is not installed."""
    for name in ("fastapi", "uvicorn"):
        if find_spec(name) is None:
            raise UsageError(f"the server needs {name}; install it: pip install 'gardenpath[web]'")
