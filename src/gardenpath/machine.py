"""What times and memory hold for: the machine, and how much memory a process has had."""

from __future__ import annotations

import os
import platform
import sys
from typing import Any


def machine() -> dict[str, Any]:
    """What the times hold for."""
    return {"system": platform.platform(), "processor": _processor(), "cores": os.cpu_count(), "python": platform.python_version()}


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next((line.partition(":")[2].strip() for line in file if line.startswith("model name")), platform.machine())
    except OSError:
        return platform.processor() or platform.machine()


def peak_memory() -> float | None:
    """The most memory that this process has had, in MB; None where the system does not tell."""
    if sys.platform == "linux":          # where `getrusage` tells of the process that started this one as well
        with open("/proc/self/status", encoding="ascii") as file:
            return next(round(int(line.split()[1]) * 1024 / 1e6, 1) for line in file if line.startswith("VmHWM:"))
    if sys.platform == "win32":
        return None
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6, 1)
