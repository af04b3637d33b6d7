"""Random choices that are the same on all machines and in all versions of Python."""

from __future__ import annotations

_MASK = (1 << 64) - 1


def shuffled(size: int, seed: int, stream: int = 0) -> list[int]:
    """Return the numbers 0..size-1 in an order that depends on seed and stream only (Fisher and Yates, splitmix64)."""
    order = list(range(size))
    state = ((seed << 32) ^ (seed >> 32) ^ stream) & _MASK
    for last in range(size - 1, 0, -1):
        state = (state + 0x9E3779B97F4A7C15) & _MASK
        other = _mix(state) % (last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def _mix(x: int) -> int:
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)
