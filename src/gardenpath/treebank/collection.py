"""Several treebanks side by side, each of one file or several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gardenpath.treebank.statistics import Statistics, describe, files_of, together

TOGETHER = "together"


@dataclass(frozen=True, slots=True)
class Collection:
    """Treebanks with the statistics of their files."""

    treebanks: list[tuple[Statistics, list[Statistics]]]

    @property
    def total(self) -> Statistics:
        """The statistics of all treebanks as one."""
        return together(TOGETHER, [whole for whole, _ in self.treebanks])

    def columns(self) -> list[Statistics]:
        """Return the statistics to show side by side: the files of a single treebank, or the treebanks, and the total.

        Names are shortened to the last part of the path where that is unique.
        """
        shown = self.treebanks[0][1] if len(self.treebanks) == 1 else [whole for whole, _ in self.treebanks]
        seen = Counter(Path(each.name).name for each in shown)
        named = [
            replace(each, name=short if seen[short := Path(each.name).name or each.name] == 1 else each.name)
            for each in shown
        ]
        return named if len(named) == 1 else [*named, self.total]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values for JSON."""
        found = [whole.to_dict() | {"files": [part.to_dict() for part in parts]} for whole, parts in self.treebanks]
        return {"treebanks": found, TOGETHER: self.total.to_dict()}


def describe_all(sources: Sequence[str | Path], *, systems: Iterable[str] | None = None) -> Collection:
    """Count the contents of files and folders, each of them a treebank. A source given twice counts once."""
    tried = None if systems is None else list(systems)
    return Collection([_described(source, tried) for source in dict.fromkeys(sources)])


def _described(source: str | Path, systems: list[str] | None) -> tuple[Statistics, list[Statistics]]:
    if not Path(source).is_dir():
        whole = describe(source, systems=systems)
        return whole, [whole]
    parts = [describe(path, systems=systems) for path in files_of(source)]
    return together(str(Path(source)), parts), parts
