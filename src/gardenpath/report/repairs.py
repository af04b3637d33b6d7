"""The repairs of non-monotonic conditions, summed over treebanks and seeds."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

from gardenpath.analysis.opportunities import Outcomes
from gardenpath.experiments.results import Results


@dataclass(frozen=True, slots=True)
class Change:
    """Arcs built by repairs, by removed label and new label.

    `old` is None if there was no arc. `right` counts the new arcs with the gold head and label.
    """

    old: str | None
    new: str
    count: int
    right: int


@dataclass(frozen=True, slots=True)
class RepairSummary:
    """The repairs of a condition: outcomes by kind, label changes by frequency, and the gain in correct heads."""

    condition: str
    runs: int
    kinds: dict[str, Outcomes]
    changes: list[Change]
    gain: int
    oracle: str

    @property
    def total(self) -> Outcomes:
        """The outcomes of all kinds together."""
        return sum(self.kinds.values(), Outcomes())

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return asdict(self) | {
            "total": self.total.to_dict(),
            "precision": self.total.precision,
            "recall": self.total.recall,
        }


def summarise_repairs(results: Results) -> list[RepairSummary]:
    """Return the repairs of each condition that has any.

    They are those of the greedy parse, so conditions that differ only in their beam appear once.
    """
    found: dict[tuple[str, ...], RepairSummary] = {}
    for condition in results.conditions:
        records = [
            result.record for cell in results.of(condition) for result in cell.results if result.record["repairs"]
        ]
        if records:
            found.setdefault(
                tuple(record["key"] for record in records), _sum(condition, [record["repairs"] for record in records])
            )
    return list(found.values())


def _sum(condition: str, repairs: list[dict[str, Any]]) -> RepairSummary:
    names = dict.fromkeys(kind for each in repairs for kind in each["kinds"])
    kinds = {
        name: sum((Outcomes(**each["kinds"][name]) for each in repairs if name in each["kinds"]), Outcomes())
        for name in names
    }
    return RepairSummary(
        condition, len(repairs), kinds, _changes(repairs), sum(each["gain"] for each in repairs), repairs[0]["oracle"]
    )


def _changes(repairs: list[dict[str, Any]]) -> list[Change]:
    counts: Counter[tuple[str | None, str]] = Counter()
    right: Counter[tuple[str | None, str]] = Counter()
    for change in (change for each in repairs for change in each["labels"]):
        pair = change["old"], change["new"]
        counts[pair] += change["count"]
        right[pair] += change["label_right"]
    order = sorted(counts, key=lambda pair: (-counts[pair], pair[0] or "", pair[1]))
    return [Change(*pair, counts[pair], right[pair]) for pair in order]
