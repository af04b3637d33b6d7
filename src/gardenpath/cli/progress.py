"""Progress bars on standard error, for downloads and for training."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

if TYPE_CHECKING:
    from gardenpath.models.training import Step


@contextmanager
def download_bar(console: Console, name: str, *, hidden: bool) -> Iterator[Callable[[int, int | None], None]]:
    """Show the progress of a download, and remove the bar at its end."""
    with _download_progress(console, hidden) as bar:
        task = bar.add_task(name, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


class StageBars:
    """A bar for the download and then one for the training; a terminal shows one at a time."""

    def __init__(self, console: Console, *, hidden: bool) -> None:
        self._console, self._hidden = console, hidden
        self._bar: Progress | None = None
        self._stage = ""

    def download(self, done: int, total: int | None) -> None:
        """Show the bytes of a download."""
        bar = self._show("download", _download_progress)
        bar.update(bar.task_ids[0], completed=done, total=total)

    def train(self, step: Step) -> None:
        """Show a step of a training."""
        bar = self._show("training", _training_progress)
        bar.update(
            bar.task_ids[0], description=f"epoch {step.number}/{step.epochs}", total=step.epochs * step.total,
            completed=(step.number - 1) * step.total + step.sentences,
            state=f"{step.accuracy:.2f} % right, {step.words_per_second:,.0f} words/s",
        )

    def close(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.stop()
        self._bar, self._stage = None, ""

    def _show(self, stage: str, kind: Callable[[Console, bool], Progress]) -> Progress:
        if self._bar is None or self._stage != stage:
            self.close()
            self._bar, self._stage = kind(self._console, self._hidden), stage
            self._bar.add_task(stage, total=None, state="")
            self._bar.start()
        return self._bar


def _download_progress(console: Console, hidden: bool) -> Progress:
    columns = (
        TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn(),
    )
    return Progress(*columns, console=console, disable=hidden or not sys.stderr.isatty(), transient=True)


def _training_progress(console: Console, hidden: bool) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[state]}"), TimeRemainingColumn())
    return Progress(*columns, console=console, disable=hidden or not sys.stderr.isatty(), transient=True)
