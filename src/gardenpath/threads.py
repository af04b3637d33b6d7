"""Work for several threads, taken lazily and given back in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from gardenpath.errors import InputError, UsageError

if TYPE_CHECKING:
    from concurrent.futures import Future

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_order(function: Callable[[Item], Result], items: Iterable[Item], threads: int) -> Iterator[Result]:
    """What the function answers for each item, in their order; no more items are taken than the threads need.

    Where taking them breaks off with an error of the input, what was taken before is still handed out first.
    """
    if threads < 1:
        raise UsageError(f"threads must be 1 or more, not {threads}")
    if threads == 1:
        yield from map(function, items)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(threads, thread_name_prefix="gardenpath") as pool:
        running: deque[Future[Result]] = deque()
        try:
            for item in items:
                running.append(pool.submit(function, item))
                if len(running) > 2 * threads:
                    yield running.popleft().result()
        except InputError:
            yield from _results(running)
            raise
        yield from _results(running)


def _results(running: deque[Future[Result]]) -> Iterator[Result]:
    while running:
        yield running.popleft().result()
