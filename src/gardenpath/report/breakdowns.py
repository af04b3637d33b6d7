"""Breakdowns: scores by length of arcs and sentences and by projectivity, pooled over runs and treebanks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from gardenpath.evaluation.attachment import SENTENCE_BINS
from gardenpath.evaluation.breakdown import ARC_BINS, CROSSING_BINS
from gardenpath.experiments.results import Result, Results
from gardenpath.report.tables import Numbers

Counts = Iterator[tuple[str, int, int]]      # a bin, the number of correct items, the number of items
Count = Callable[[Result], Counts]


@dataclass(frozen=True, slots=True)
class Share:
    """The correct items of one kind for a condition, as counts and in per cent.

    Without a treebank, it covers the treebanks that all conditions have.
    """

    kind: str
    condition: str
    treebank: str | None
    right: int
    whole: int

    @property
    def percent(self) -> float | None:
        """The share in per cent, or None if there is nothing of the kind."""
        return 100 * self.right / self.whole if self.whole else None


@dataclass(frozen=True, slots=True)
class Breakdown:
    """Scores by kind, for each condition on each treebank and on all of them."""

    kinds: list[str]
    shares: list[Share]

    def row(self, condition: str, treebank: str | None = None) -> Numbers:
        """Return the share of each kind, in order."""
        known = {
            share.kind: share.percent
            for share in self.shares
            if share.condition == condition and share.treebank == treebank
        }
        return [known.get(kind) for kind in self.kinds]


def breakdowns(results: Results) -> dict[str, Breakdown]:
    """Return every breakdown by name."""
    return {
        "arc_length": _breakdown(results, [name for name, _ in ARC_BINS], _recall("by_length")),
        "arc_length_precision": _breakdown(results, [name for name, _ in ARC_BINS], _precision("by_length")),
        "sentence_length": _breakdown(results, [name for name, _ in SENTENCE_BINS], _sentence_lengths),
        "projectivity": _breakdown(results, ["projective", "non-projective"], _projectivity),
        "arc_recall": _breakdown(results, [name for name, _ in CROSSING_BINS], _recall("by_crossing")),
        "arc_precision": _breakdown(results, [name for name, _ in CROSSING_BINS], _precision("by_crossing")),
    }


def _breakdown(results: Results, kinds: list[str], counts: Count) -> Breakdown:
    shares = [share for condition in results.conditions for share in _shares(results, condition, kinds, counts)]
    present = {share.kind for share in shares if share.whole}
    return Breakdown([kind for kind in kinds if kind in present], shares)


def _shares(results: Results, condition: str, kinds: list[str], counts: Count) -> Iterator[Share]:
    for treebank in results.treebanks:
        yield from _pooled(
            condition,
            treebank,
            kinds,
            (count for result in results.cell(condition, treebank).results for count in counts(result)),
        )
    common = results.in_all_conditions()
    every = [result for cell in results.of(condition) if cell.treebank in common for result in cell.results]
    yield from _pooled(condition, None, kinds, (count for result in every for count in counts(result)))


def _pooled(
    condition: str, treebank: str | None, kinds: list[str], counts: Iterable[tuple[str, int, int]]
) -> Iterator[Share]:
    sums = dict.fromkeys(kinds, (0, 0))
    for kind, right, whole in counts:
        sums[kind] = sums[kind][0] + right, sums[kind][1] + whole
    for kind, (right, whole) in sums.items():
        yield Share(kind, condition, treebank, right, whole)


def _sentence_lengths(result: Result) -> Counts:
    for name, scores in result.attachment.by_sentence_length().items():
        yield name, int(scores.right_both.sum()), scores.words


def _projectivity(result: Result) -> Counts:
    for name, scores in result.parse["by_projectivity"].items():
        yield name, round(scores["las"] * scores["words"] / 100), scores["words"]


def _recall(part: str) -> Count:
    return lambda result: ((name, score["gold_correct"], score["gold"]) for name, score in result.parse[part].items())


def _precision(part: str) -> Count:
    return lambda result: (
        (name, score["system_correct"], score["system"]) for name, score in result.parse[part].items()
    )
