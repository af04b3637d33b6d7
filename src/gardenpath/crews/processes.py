"""A crew of processes on this machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Generic

from gardenpath.crews.crew import Crew, Ended, Result, Task
from gardenpath.errors import show_warnings_plainly
from gardenpath.signals import holding_signals

# A signal that arrives just before a wait begins does not end it. Its handler runs when the wait is over.
SECONDS = 0.2


@dataclass(slots=True, eq=False)
class _Worker(Generic[Task]):
    """A process and its current task."""

    process: BaseProcess
    connection: Connection
    task: Task
    attempt: int


class Processes(Crew[Task, Result]):
    """Up to `most` processes on this machine, started when they are needed.

    A process keeps its copy of `work`, with its state, from one task to the next. With `once`, every task gets a new
    process.
    """

    def __init__(self, work: Callable[[Task], Result], most: int, *, once: bool = False) -> None:
        self._work = work
        self._most = most
        self._once = once
        self._busy: list[_Worker[Task]] = []
        self._idle: list[_Worker[Task]] = []

    def has_room(self) -> bool:
        """Return whether a process is idle or another one may be started."""
        return len(self._busy) < self._most

    def submit(self, task: Task, attempt: int) -> _Worker[Task]:
        """Send a task to the process that became idle last, or to a new one."""
        with holding_signals():              # else a process could run that `stop` does not know
            worker = self._idle.pop() if self._idle else self._start(task, attempt)
            worker.task, worker.attempt = task, attempt
            self._busy.append(worker)
        with suppress(OSError):              # the process died while it was idle; `wait` finds out
            worker.connection.send(task)
        return worker

    def _start(self, task: Task, attempt: int) -> _Worker[Task]:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(self._work, theirs, os.getpid()))
        process.start()
        theirs.close()                       # so that the pipe ends when the process dies
        return _Worker(process, ours, task, attempt)

    def is_busy(self) -> bool:
        """Return whether any process is running a task."""
        return bool(self._busy)

    def wait(self) -> list[Ended[Task, Result]]:
        """Wait until at least one process has finished its task or died."""
        ended: list[object] = []
        while not ended:
            ended = list(wait([worker.connection for worker in self._busy], SECONDS))
        return [self._finish(worker) for worker in list(self._busy) if worker.connection in ended]

    def _finish(self, worker: _Worker[Task]) -> Ended[Task, Result]:
        """Receive the result of a worker. It stays on a list until the end, so that `stop` knows it after a signal."""
        try:
            result = worker.connection.recv()
        except (EOFError, OSError):          # the process died before or while it sent its result
            worker.connection.close()
            worker.process.join()
            self._busy.remove(worker)
            return Ended(worker.task, worker.attempt, death=f"exit code {worker.process.exitcode}")
        if self._once:
            worker.connection.close()
            worker.process.join()
        else:
            self._idle.append(worker)
        self._busy.remove(worker)
        return Ended(worker.task, worker.attempt, result)

    def stop(self) -> None:
        """Kill all processes."""
        with holding_signals():
            for worker in (*self._busy, *self._idle):
                worker.process.kill()
            for worker in (*self._busy, *self._idle):
                worker.process.join()
                worker.connection.close()


def _serve(work: Callable[[Task], Result], connection: Connection, parent: int) -> None:
    """Run tasks in the worker process and send back their results, until the connection or the parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)          # the parent handles the signal and kills its workers
    show_warnings_plainly()
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    while True:
        try:
            task = connection.recv()
        except (EOFError, OSError):
            return
        result = work(task)
        try:
            connection.send(result)
        except OSError:                      # the parent was killed meanwhile
            return


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
