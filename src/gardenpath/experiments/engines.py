"""Where runs are done: engines take runs and yield what came of each as it ends. This one has processes on this machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from gardenpath.cluster import require_ray
from gardenpath.errors import GardenpathError, UsageError
from gardenpath.experiments.plan import Run
from gardenpath.experiments.run import Files, perform

TRIES = 3             # a worker may die of what is not the run's fault: memory, a kill
ENGINES = ("local", "ray")


@dataclass(frozen=True, slots=True)
class Task:
    """A run to do, and whether its model is wanted."""

    run: Run
    keep_model: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a task: the files of its record, or why there are none; and how often it was tried."""

    task: Task
    files: Files | None = None
    failure: str | None = None
    tries: int = 1


Engine = Callable[[Sequence[Task], int | None], Iterator[Outcome]]


def engine_of(name: str) -> Engine:
    """An engine by its name: `local`, or `ray`, which the extra `cluster` has."""
    if name == "local":
        return local
    if name == "ray":
        require_ray()
        from gardenpath.cluster.runs import on_ray

        return on_ray
    raise UsageError(f"no engine {name!r}; there are {', '.join(ENGINES)}")


def attempt(task: Task) -> tuple[Files | None, str | None]:
    """Do a task: its files, or what was wrong with it, which would be wrong again."""
    try:
        return perform(task.run, task.keep_model), None
    except GardenpathError as error:
        return None, str(error)
    except Exception:
        return None, traceback.format_exc()


@dataclass(slots=True)
class _Worker:
    """A process that does one task."""

    task: Task
    tries: int
    process: BaseProcess
    connection: Connection


def local(tasks: Sequence[Task], workers: int | None = None) -> Iterator[Outcome]:
    """Do tasks in so many processes at a time (None: as many as there are cores), each in a process of its own; one that dies is tried again."""
    waiting = deque((task, 1) for task in tasks)
    running: list[_Worker] = []
    try:
        while waiting or running:
            while waiting and len(running) < (workers or os.cpu_count() or 1):
                running.append(_start(*waiting.popleft()))
            ended = wait([worker.connection for worker in running])
            for worker in [worker for worker in running if worker.connection in ended]:
                running.remove(worker)
                outcome = _finish(worker)
                if outcome is None:
                    waiting.appendleft((worker.task, worker.tries + 1))
                else:
                    yield outcome
    finally:
        for worker in running:
            worker.process.kill()
            worker.process.join()


def _start(task: Task, tries: int) -> _Worker:
    context = multiprocessing.get_context("spawn")
    receiving, sending = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(task, sending, os.getpid()), name=task.run.key)
    process.start()
    sending.close()                      # so that the death of the process is the end of the pipe
    return _Worker(task, tries, process, receiving)


def _finish(worker: _Worker) -> Outcome | None:
    """What a worker sent before it ended; None if it died and may be tried again."""
    with worker.connection:
        try:
            files, failure = worker.connection.recv()
        except (EOFError, OSError):      # it died before it sent anything, or while it did
            worker.process.join()
            if worker.tries < TRIES:
                return None
            files, failure = None, f"the process died {worker.tries} times (exit code {worker.process.exitcode}); is there enough memory?"
    worker.process.join()
    return Outcome(worker.task, files, failure, worker.tries)


def _work(task: Task, connection: Connection, parent: int) -> None:
    """In the process: do the task and send what came of it; end when the parent does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)          # the parent is asked, and ends us
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    connection.send(attempt(task))


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
