"""The machine of a measurement, and the peak memory of a process."""

from __future__ import annotations

import os
import platform
import sys
from typing import Any


def machine() -> dict[str, Any]:
    """Describe the machine on which a measurement was made."""
    return {
        "system": platform.platform(), "processor": _processor(), "cores": os.cpu_count(),
        "python": platform.python_version(),
    }


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = (line.partition(":")[2].strip() for line in file if line.startswith("model name"))
            return next(names, platform.machine())
    except OSError:
        return platform.processor() or platform.machine()


def peak_memory() -> float | None:
    """Return the peak memory of this process in MB, or None if the system does not report it."""
    if sys.platform == "linux":          # `getrusage` would include the process that started this one
        with open("/proc/self/status", encoding="ascii") as file:
            return next(round(int(line.split()[1]) * 1024 / 1e6, 1) for line in file if line.startswith("VmHWM:"))
    if sys.platform == "win32":
        return None
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6, 1)
