"""Stop long computations in other threads, when nobody needs their results any more; and hold signals back.

Python cannot stop a thread from outside. A computation that may be stopped runs `with stopping_if(...)`, and its long
loops call `check` from time to time: between sentences, or between batches of them.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
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


@contextmanager
def holding_signals() -> Iterator[None]:
    """Hold back signals that end the process until a short block is left. Other threads than the main one get none."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[int] = []
    handlers = {number: signal.getsignal(number) for number in SIGNALS}
    known = {number: handler for number, handler in handlers.items() if callable(handler)}
    for number in known:
        signal.signal(number, lambda got, frame: held.append(got))
    try:
        yield
    finally:
        for number, handler in known.items():
            signal.signal(number, handler)
        for number in held:
            signal.raise_signal(number)
