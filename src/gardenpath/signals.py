"""Hold back signals that end the process, while it does what must not be left half done."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


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
