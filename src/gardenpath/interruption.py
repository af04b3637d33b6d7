"""Stop long computations in other threads, when nobody needs their results any more.

Python cannot stop a thread from outside. A computation that may be stopped runs `with stopping_if(...)`, and its long
loops call `check` from time to time: between sentences, or between batches of them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_thread = threading.local()


class StoppedError(Exception):
    """Ends a computation whose result is not needed."""


@contextmanager
def stopping_if(is_stopped: Callable[[], bool]) -> Iterator[None]:
    """Let `check` raise `StoppedError` in this thread as soon as the condition is true."""
    before = getattr(_thread, "is_stopped", None)
    _thread.is_stopped = is_stopped
    try:
        yield
    finally:
        _thread.is_stopped = before


def check() -> None:
    """Raise `StoppedError` if the computation of this thread should stop."""
    is_stopped = getattr(_thread, "is_stopped", None)
    if is_stopped is not None and is_stopped():
        raise StoppedError
