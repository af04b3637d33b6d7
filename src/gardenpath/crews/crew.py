"""The interface of a crew of workers, and the loop that distributes tasks and retries those whose worker died."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from gardenpath.crews import require_ray
from gardenpath.errors import UsageError

MAX_ATTEMPTS = 3      # a worker may die for a reason unrelated to the task, such as memory or a kill

ENGINES = ("local", "ray")

Task = TypeVar("Task")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Ended(Generic[Task, Result]):
    """A finished task: the number of attempts, and either its result or the reason why the last worker died."""

    task: Task
    attempts: int
    result: Result | None = None
    death: str | None = None

    def failure(self) -> str:
        """Return the error message for a task whose workers all died."""
        return f"the worker died {self.attempts} times ({self.death}); check that there is enough memory"


Running = Generator[Ended[Task, Result], None, None]       # close it to stop


class Crew(ABC, Generic[Task, Result]):
    """A group of workers."""

    @abstractmethod
    def has_room(self) -> bool:
        """Return whether another task can be submitted now."""

    @abstractmethod
    def submit(self, task: Task, attempt: int) -> object:
        """Submit a task to a worker. `attempt` is the attempt number, from 1."""

    @abstractmethod
    def is_busy(self) -> bool:
        """Return whether any task is running."""

    @abstractmethod
    def wait(self) -> list[Ended[Task, Result]]:
        """Wait for an event, and return the tasks that ended with it; the list may be empty."""

    @abstractmethod
    def stop(self) -> None:
        """Stop all workers, including those that are running a task."""


def share_out(
    tasks: Iterable[Task], crew: Crew[Task, Result], then: Callable[[Result], Task | None] | None = None
) -> Running[Task, Result]:
    """Run tasks with a crew and yield each one when it ends. A task whose worker dies is retried.

    `then` returns the task that follows from a result, or None. That task runs next, most likely in the same worker.
    """
    waiting = deque((task, 1) for task in tasks)
    try:
        while waiting or crew.is_busy():
            while waiting and crew.has_room():
                crew.submit(*waiting.popleft())
            for ended in crew.wait():
                if ended.death and ended.attempts < MAX_ATTEMPTS:
                    waiting.appendleft((ended.task, ended.attempts + 1))
                    continue
                following = then(ended.result) if then and ended.result is not None else None
                if following is not None:
                    waiting.appendleft((following, 1))
                yield ended
    finally:
        crew.stop()


def check_engine(name: str) -> None:
    """Raise `UsageError` if there is no engine with this name, or if it needs Ray and Ray is not installed."""
    if name not in ENGINES:
        raise UsageError(f"there is no engine {name!r}; choose one of: {', '.join(ENGINES)}")
    if name == "ray":
        require_ray()
