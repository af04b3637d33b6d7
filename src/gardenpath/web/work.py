"""The threads that parse, shared by all requests: jobs that wait and ask for the same are done together."""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

BATCH = 20_000           # how large the jobs may be together that are done at once, in characters
SMALL = BATCH // 4       # what waits is left to a thread that is soon done, as long as it is not more than this
LARGE = 5 * BATCH        # jobs from this size on never have all threads to themselves


class Task(Hashable, Protocol):
    """What is to be done with items: results in their order, an exception in the place of what failed. Jobs of equal tasks are done together."""

    def __call__(self, items: list[Any], /) -> list[Any]:
        """The results for these items."""


@dataclass(frozen=True, slots=True, eq=False)
class _Alone:
    """A call that is not shared: equal to no other task."""

    function: Callable[..., Any]

    def __call__(self, items: list[tuple[Any, ...]]) -> list[Any]:
        return [self.function(*arguments) for arguments in items]


@dataclass(slots=True, eq=False)
class _Job:
    item: Any
    size: int
    future: asyncio.Future[Any]
    result: Any = None

    def deliver(self) -> None:
        """Hand the result to whoever still waits for it."""
        if self.future.done():
            return
        if isinstance(self.result, Exception):
            self.future.set_exception(self.result)
        else:
            self.future.set_result(self.result)


class _Queue:
    """Jobs by their task: tasks take turns, the jobs of a task come in their order."""

    def __init__(self) -> None:
        self.size = 0            # of all that waits
        self._tasks: OrderedDict[Task, deque[_Job]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self._tasks.values()))

    def add(self, task: Task, job: _Job) -> None:
        """Let a job wait for its turn."""
        self._tasks.setdefault(task, deque()).append(job)
        self.size += job.size

    def take(self, *, large: bool) -> tuple[Task, list[_Job]] | None:
        """What to do next: jobs of one task that fit together. Cancelled ones are left out, `large` ones unless they may be done now."""
        for task, waiting in list(self._tasks.items()):
            batch = self._batch(waiting, large)
            if not waiting:
                del self._tasks[task]
            elif batch:
                self._tasks.move_to_end(task)
            if batch:
                return task, batch
        return None

    def _batch(self, waiting: deque[_Job], large: bool) -> list[_Job]:
        batch: list[_Job] = []
        total = 0
        while waiting:
            job = waiting[0]
            cancelled = job.future.cancelled()
            if not cancelled and (total + job.size > BATCH if batch else job.size >= LARGE and not large):
                break
            waiting.popleft()
            self.size -= job.size
            if not cancelled:
                batch.append(job)
                total += job.size
        return batch


class Workers:
    """Threads that take jobs from one queue: they begin when they are needed, and end with `close`."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.batches = 0         # how many have been done, and of how many jobs
        self.jobs = 0
        self._queue = _Queue()
        self._change = threading.Condition()      # its lock can be taken again by the thread that has it
        self._running: list[threading.Thread] = []
        self._idle = 0           # how many threads have nothing to do
        self._small = 0          # how many are soon done
        self._large = 0          # how many are busy with a large job
        self._closed = False

    @property
    def waiting(self) -> int:
        """How many jobs have not begun."""
        return len(self._queue)

    async def run(self, task: Task, item: Any, size: int = 1) -> Any:
        """What the task makes of the item, done together with other items for an equal task that wait; `size` says how large it is, in characters.

        A job whose coroutine is cancelled before it begins is never done.
        """
        job = _Job(item, max(1, size), asyncio.get_running_loop().create_future())
        with self._change:
            self._queue.add(task, job)
            self._wake()
        return await job.future

    async def run_alone(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """What the function answers, called in one of the threads."""
        return await self.run(_Alone(function), arguments, BATCH)

    def close(self) -> None:
        """End the threads when they have done what they are at; what waits is forgotten. Should something be asked for later, there are new ones."""
        with self._change:
            self._closed = True
            self._change.notify_all()
        for thread in self._running:
            thread.join()
        self._running.clear()
        self._queue = _Queue()
        self._closed = False

    def _start(self) -> None:
        thread = threading.Thread(target=self._work, name=f"gardenpath-{len(self._running) + 1}", daemon=True)
        self._running.append(thread)
        thread.start()

    def _wake(self) -> None:
        """Wake a thread if something waits and no other will soon come to take it: threads are quickest when few of them want the GIL."""
        if not self._queue.size or (self._small and self._queue.size <= SMALL):
            return
        if self._idle:
            self._change.notify()
        elif len(self._running) < self.threads:
            self._start()

    def _work(self) -> None:
        while (taken := self._take()) is not None:
            task, batch = taken
            _do(task, batch)
            self._count(batch, -1)
            _hand_over(batch)

    def _take(self) -> tuple[Task, list[_Job]] | None:
        """Wait for something to do; None when the workers are closed."""
        with self._change:
            while not self._closed:
                taken = self._queue.take(large=self._large < max(1, self.threads - 1))
                if taken:
                    self._count(taken[1], 1)
                    return taken
                self._idle += 1
                self._change.wait()
                self._idle -= 1
        return None

    def _count(self, batch: list[_Job], busy: int) -> None:
        """A thread begins with a batch (1), or has done it (-1)."""
        with self._change:
            size = sum(job.size for job in batch)
            self._small += busy * (size <= SMALL)
            self._large += busy * (size >= LARGE)
            if busy < 0:
                self.batches += 1
                self.jobs += len(batch)
            self._wake()


def _do(task: Task, batch: list[_Job]) -> None:
    try:
        for job, result in zip(batch, task([job.item for job in batch]), strict=True):
            job.result = result
    except Exception as error:
        for job in batch:
            job.result = error


def _hand_over(batch: list[_Job]) -> None:
    """Tell the loop, once for all jobs."""
    with suppress(RuntimeError):         # the loop is closed, so nobody waits any more
        batch[0].future.get_loop().call_soon_threadsafe(_deliver, batch)


def _deliver(batch: list[_Job]) -> None:
    for job in batch:
        job.deliver()
