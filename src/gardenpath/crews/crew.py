"""Crews: workers who do one task at a time and may die. Whoever is idle takes the next task, and that of one who died is done again."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Generic, TypeVar

from gardenpath.crews import require_ray
from gardenpath.errors import UsageError

TRIES = 3             # a worker may die of what is not the task's fault: memory, a kill

ENGINES = ("local", "ray")

Task = TypeVar("Task")
Result = TypeVar("Result")
Engine = TypeVar("Engine")


@dataclass(frozen=True, slots=True)
class Ended(Generic[Task, Result]):
    """A task at its end: its result, or how the last of its workers died; and how often it was tried."""

    task: Task
    tries: int
    result: Result | None = None
    death: str | None = None


Running = Generator[Ended[Task, Result], None, None]       # close it to stop


class Crew(ABC, Generic[Task, Result]):
    """Workers, wherever they are."""

    @abstractmethod
    def has_room(self) -> bool:
        """Can a task be given to somebody now?"""

    @abstractmethod
    def give(self, task: Task, tries: int) -> object:
        """Give a task to a worker, for the how-manieth time."""

    @abstractmethod
    def is_busy(self) -> bool:
        """Is any task under way?"""

    @abstractmethod
    def wait(self) -> list[Ended[Task, Result]]:
        """Wait until something has happened: the tasks that have ended with it, if any."""

    @abstractmethod
    def dismiss(self) -> None:
        """End the workers, whatever they are doing."""


def share_out(tasks: Iterable[Task], crew: Crew[Task, Result], then: Callable[[Result], Task | None] | None = None) -> Running[Task, Result]:
    """Have tasks done by a crew, yielding each as it ends; one whose worker dies is tried again.

    `then` says which task a result leads to, if any: that is the next to be done, most likely by the same worker.
    """
    waiting = deque((task, 1) for task in tasks)
    try:
        while waiting or crew.is_busy():
            while waiting and crew.has_room():
                crew.give(*waiting.popleft())
            for ended in crew.wait():
                if ended.death and ended.tries < TRIES:
                    waiting.appendleft((ended.task, ended.tries + 1))
                    continue
                following = then(ended.result) if then and ended.result is not None else None
                if following is not None:
                    waiting.appendleft((following, 1))
                yield ended
    finally:
        crew.dismiss()


def engine_named(name: str, local: Engine, on_ray: str) -> Engine:
    """An engine by its name: `local`, or `ray`, which the extra `cluster` has; `on_ray` is the module that has it."""
    if name == "local":
        return local
    if name == "ray":
        require_ray()
        return import_module(on_ray).on_ray
    raise UsageError(f"no engine {name!r}; there are {', '.join(ENGINES)}")


def told(ended: Ended[Task, Result]) -> str:
    """What to say of a task whose workers have all died."""
    return f"the worker died {ended.tries} times ({ended.death}); is there enough memory?"


@dataclass(slots=True, eq=False)
class _Worker(Generic[Task]):
    """A process, and the task that it is at."""

    process: BaseProcess
    connection: Connection
    task: Task
    tries: int


class Processes(Crew[Task, Result]):
    """Processes on this machine, started as they are needed, `most` at a time; what `work` remembers from one task to the next it remembers in its process.

    With `once` every task has a process of its own.
    """

    def __init__(self, work: Callable[[Task], Result], most: int, *, once: bool = False) -> None:
        self._work = work
        self._most = most
        self._once = once
        self._busy: list[_Worker[Task]] = []
        self._idle: list[_Worker[Task]] = []

    def has_room(self) -> bool:
        """Is somebody idle, or may another process be started?"""
        return len(self._busy) < self._most

    def give(self, task: Task, tries: int) -> _Worker[Task]:
        """Give a task to the process that was idle for the shortest time, or to a new one."""
        worker = self._idle.pop() if self._idle else self._start(task, tries)
        worker.task, worker.tries = task, tries
        self._busy.append(worker)
        with suppress(OSError):              # it has died while it was idle; `wait` will see
            worker.connection.send(task)
        return worker

    def _start(self, task: Task, tries: int) -> _Worker[Task]:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(self._work, theirs, os.getpid()))
        process.start()
        theirs.close()                       # so that the death of the process is the end of the pipe
        return _Worker(process, ours, task, tries)

    def is_busy(self) -> bool:
        """Is any process at a task?"""
        return bool(self._busy)

    def wait(self) -> list[Ended[Task, Result]]:
        """Wait until some have ended their tasks, or died of them."""
        ended = wait([worker.connection for worker in self._busy])
        return [self._finish(worker) for worker in list(self._busy) if worker.connection in ended]

    def _finish(self, worker: _Worker[Task]) -> Ended[Task, Result]:
        self._busy.remove(worker)
        try:
            result = worker.connection.recv()
        except (EOFError, OSError):          # it died before it sent anything, or while it did
            worker.connection.close()
            worker.process.join()
            return Ended(worker.task, worker.tries, death=f"exit code {worker.process.exitcode}")
        if self._once:
            worker.connection.close()
            worker.process.join()
        else:
            self._idle.append(worker)
        return Ended(worker.task, worker.tries, result)

    def dismiss(self) -> None:
        """Kill all processes."""
        for worker in (*self._busy, *self._idle):
            worker.process.kill()
            worker.process.join()
            worker.connection.close()


def _serve(work: Callable[[Task], Result], connection: Connection, parent: int) -> None:
    """In the process: do tasks and send what came of them; end when nobody has any more, or when the parent does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)          # the parent is asked, and ends us
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    while True:
        try:
            task = connection.recv()
        except (EOFError, OSError):
            return
        connection.send(work(task))


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
