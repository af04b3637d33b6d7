"""Workers that die or block at chosen moments.

A process that is killed from outside may be anywhere in its work, or may have finished it. These workers die, or stop,
at the same point every time. Both kinds of fault are context managers around an attempt at a task. They keep their
state in a folder, because a process that dies loses its memory.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


def die(*_: object) -> None:
    """Kill this process."""
    os.kill(os.getpid(), signal.SIGKILL)


@dataclass(frozen=True)
class Deaths:
    """Kill the process at a moment of each attempt: `moments` has one of `start`, `writing`, `end` for each attempt."""

    folder: Path
    moments: dict[str, tuple[str, ...]]

    @contextmanager
    def during(self, task: str) -> Iterator[None]:
        """Surround an attempt at a task. `writing` means: all is written, but not yet renamed."""
        attempt = self.attempts(task)
        (self.folder / f"{task}.{attempt}").touch()
        moment = dict(enumerate(self.moments.get(task, ()))).get(attempt)
        if moment == "start":
            die()
        if moment == "writing":
            os.replace = die
        yield
        if moment == "end":
            die()

    def attempts(self, task: str) -> int:
        """Return how many attempts have begun."""
        return len(list(self.folder.glob(f"{task}.*")))


@dataclass(frozen=True)
class Gate:
    """Let a number of tasks begin and block those that follow until the gate is opened."""

    folder: Path
    limit: int

    @contextmanager
    def during(self, task: str) -> Iterator[None]:
        """Surround an attempt at a task."""
        if not any(map(self._enter, range(self.limit))):
            (self.folder / f"blocked-{task}").touch()
            while not (self.folder / "open").exists():
                time.sleep(0.02)
        yield

    def _enter(self, number: int) -> bool:
        try:
            (self.folder / f"entered-{number}").touch(exist_ok=False)
        except FileExistsError:
            return False
        return True

    def is_blocking(self) -> bool:
        """Return whether a task waits at the gate."""
        return any(self.folder.glob("blocked-*"))

    def open(self) -> None:
        """Let all tasks begin."""
        (self.folder / "open").touch()
