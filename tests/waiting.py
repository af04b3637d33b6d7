"""Wait for conditions instead of durations, so that no test depends on the speed of the machine."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from typing import Any

HANG = 600          # seconds; only what hangs takes longer. It measures no speed: every wait ends as soon as it can.


def wait_until(condition: Callable[[], Any], process: subprocess.Popen[Any] | None = None) -> Any:
    """Return the value of a condition as soon as it is true. Fail if the process that should make it true has ended."""
    end = time.monotonic() + HANG
    while not (value := condition()):
        assert time.monotonic() < end, "The condition did not become true."
        assert process is None or process.poll() is None, "The process ended before the condition became true."
        time.sleep(0.02)
    return value
