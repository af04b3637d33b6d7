"""The threads that parse, shared by all requests: waiting jobs with equal tasks are processed in one batch."""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from gardenpath.interruption import stopping_if

BATCH = 20_000           # maximum size of a batch of several jobs, in characters
SMALL = BATCH // 4       # a batch up to this size is soon finished; jobs up to this total size wait for such a batch
LARGE = 5 * BATCH        # jobs from this size on never occupy all threads


class Task(Hashable, Protocol):
    """A function from a list of items to the list of their results. Jobs with equal tasks are processed together."""

    def __call__(self, items: list[Any], /) -> list[Any]:
        """Return the results in the order of the items, with an exception in place of each result that failed."""


@dataclass(frozen=True, slots=True, eq=False)
class _Alone:
    """A task that is equal to no other task, so that its job is never part of a larger batch."""

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
        """Set the result of the future, unless the future was cancelled."""
        if self.future.done():
            return
        if isinstance(self.result, BaseException):
            self.future.set_exception(_safe(self.result))
        else:
            self.future.set_result(self.result)


class _Queue:
    """The waiting jobs, grouped by task. Tasks take turns; the jobs of a task stay in order."""

    def __init__(self) -> None:
        self.size = 0            # total size of the jobs, including cancelled jobs that were not removed yet
        self._tasks: OrderedDict[Task, deque[_Job]] = OrderedDict()

    def __len__(self) -> int:
        return sum(not job.future.cancelled() for jobs in self._tasks.values() for job in jobs)

    def add(self, task: Task, job: _Job) -> None:
        """Append a job to the jobs of its task."""
        self._tasks.setdefault(task, deque()).append(job)
        self.size += job.size

    def take(self, *, large: bool) -> tuple[Task, list[_Job]] | None:
        """Remove and return the next batch of one task, or None.

        Jobs of `LARGE` size are taken only if `large` is true.
        """
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
        """Remove and return the first jobs that fit into one batch. Cancelled jobs are removed as well."""
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
    """Threads that take jobs from one queue. They start when they are needed and end with `close`."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.batches = 0         # number of finished batches
        self.jobs = 0            # number of jobs in these batches
        self._queue = _Queue()
        self._change = threading.Condition()      # the lock is reentrant: `_count` calls `_wake` while it holds it
        self._running: list[threading.Thread] = []
        self._idle = 0           # number of threads that wait for a job
        self._small = 0          # number of threads with a batch of at most `SMALL`
        self._large = 0          # number of threads with a job of at least `LARGE`
        self._closed = False

    @property
    def waiting(self) -> int:
        """The number of jobs that have not begun and were not cancelled."""
        with self._change:
            return len(self._queue)

    async def run(self, task: Task, item: Any, size: int = 1) -> Any:
        """Return the result of the task for this item, which may be processed together with other items.

        `size` is the size of the item in characters. If the coroutine is cancelled before its job begins, the job
        is not run. If it is cancelled later, the job stops at its next `interruption.check`, unless other jobs are in
        the same batch.
        """
        job = _Job(item, max(1, size), asyncio.get_running_loop().create_future())
        with self._change:
            self._queue.add(task, job)
            self._wake()
        return await job.future

    async def run_alone(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call the function in one of the threads and return its result."""
        return await self.run(_Alone(function), arguments, BATCH)

    def close(self) -> None:
        """End the threads after their current batches and discard waiting jobs. A later job starts new threads."""
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
        """Wake or start a thread if jobs wait, unless a thread with a small batch will take them soon.

        Fewer threads that compete for the GIL finish sooner.
        """
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
        """Wait for a batch and return it, or return None when the workers are closed."""
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
        """Update the counters when a thread begins (1) or finishes (-1) a batch."""
        with self._change:
            size = sum(job.size for job in batch)
            self._small += busy * (size <= SMALL)
            self._large += busy * (size >= LARGE)
            if busy < 0:
                self.batches += 1
                self.jobs += len(batch)
            self._wake()


def _do(task: Task, batch: list[_Job]) -> None:
    """Run the task and store the results. An error becomes the result of every job and never ends the thread.

    If all jobs are cancelled in the meantime, the task stops at its next `interruption.check`.
    """
    try:
        with stopping_if(lambda: all(job.future.cancelled() for job in batch)):
            results = task([job.item for job in batch])
        for job, result in zip(batch, results, strict=True):
            job.result = result
    except BaseException as error:
        for job in batch:
            job.result = error


def _safe(error: BaseException) -> Exception:
    """Return an exception that a future may raise: SystemExit and the like would stop the event loop."""
    if isinstance(error, Exception) and not isinstance(error, StopIteration):
        return error
    failure = RuntimeError(f"The task raised {error!r}.")
    failure.__cause__ = error
    return failure


def _hand_over(batch: list[_Job]) -> None:
    """Deliver the results in the event loop, with one call for all jobs."""
    with suppress(RuntimeError):         # the loop is closed, so no coroutine waits for the results
        batch[0].future.get_loop().call_soon_threadsafe(_deliver, batch)


def _deliver(batch: list[_Job]) -> None:
    for job in batch:
        job.deliver()
