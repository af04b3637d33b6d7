"""Items in batches that are worth a call each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from gardenpath.errors import InputError

Item = TypeVar("Item")


def batches(items: Iterable[Item], size: int, length: Callable[[Item], int] = len) -> Iterator[list[Item]]:        # type: ignore[assignment]  # of what has one
    """Items in lists that are as long together as `size`, or a little longer.

    Where the input breaks off with an error, what was read before is handed out first.
    """
    batch: list[Item] = []
    total = 0
    try:
        for item in items:
            batch.append(item)
            total += length(item)
            if total >= size:
                yield batch
                batch, total = [], 0
    except InputError:
        if batch:
            yield batch
        raise
    if batch:
        yield batch
