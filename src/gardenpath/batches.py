"""Batches of items."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from gardenpath.errors import InputError

Item = TypeVar("Item")


def batches(
    items: Iterable[Item], size: int, length: Callable[[Item], int] = len,  # type: ignore[assignment]
) -> Iterator[list[Item]]:
    """Yield batches whose total length reaches `size`.

    If reading the items raises an `InputError`, the items before it are yielded first.
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
