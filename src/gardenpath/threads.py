"""Lazy, ordered mapping of a function over items in several threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from threading import Event
from typing import TYPE_CHECKING, TypeVar

from gardenpath.errors import InputError, UsageError
from gardenpath.interruption import stopping_if

if TYPE_CHECKING:
    from concurrent.futures import Future

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_order(function: Callable[[Item], Result], items: Iterable[Item], threads: int) -> Iterator[Result]:
    """Yield the result of the function for each item, in order. Items are read only as the threads need them.

    If reading the items raises an `InputError`, the results of the items before it are yielded first.
    """
    if threads < 1:
        raise UsageError(f"threads must be 1 or more, not {threads}")
    if threads == 1:
        yield from map(function, items)
        return
    from concurrent.futures import ThreadPoolExecutor

    ended = Event()

    def run(item: Item) -> Result:
        with stopping_if(ended.is_set):
            return function(item)

    pool = ThreadPoolExecutor(threads, thread_name_prefix="gardenpath")
    running: deque[Future[Result]] = deque()
    try:
        try:
            for item in items:
                running.append(pool.submit(run, item))
                if len(running) > 2 * threads:
                    yield running.popleft().result()
        except InputError:
            yield from _results(running)
            raise
        yield from _results(running)
    finally:
        # After Ctrl-C, items that wait are dropped, and those that are being processed stop at their next check.
        ended.set()
        pool.shutdown(cancel_futures=True)


def _results(running: deque[Future[Result]]) -> Iterator[Result]:
    while running:
        yield running.popleft().result()
