"""The breakdowns of an evaluation for two systems side by side.

With several runs, attachment scores are means over the runs. Precision, recall and F1 are computed from the counts of
all runs together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import astuple, dataclass
from statistics import fmean

import numpy as np

from gardenpath.evaluation.attachment import Attachment
from gardenpath.evaluation.breakdown import ArcScore
from gardenpath.evaluation.layout import Integers
from gardenpath.evaluation.result import Evaluation, Side
from gardenpath.evaluation.scores import Score, labels
from gardenpath.evaluation.selection import sentences_of
from gardenpath.evaluation.significance import Contrast, f1_randomisation, holm

TESTED = 20  # minimum number of gold arcs of a label for a significance test


@dataclass(frozen=True, slots=True)
class AttachmentContrast:
    """The attachment scores of both systems over the same sentences."""

    sentences: int
    words: int
    uas: Contrast
    las: Contrast
    label_accuracy: Contrast
    exact_labelled: Contrast


@dataclass(frozen=True, slots=True)
class ArcContrast:
    """Labelled attachment of arcs of one kind. `gold` is the number of gold arcs."""

    gold: int
    precision: Contrast
    recall: Contrast


@dataclass(frozen=True, slots=True)
class LabelContrast:
    """Labelled attachment of one label.

    `p` is from approximate randomisation, and `holm_p` is adjusted for all tested labels. Both are None for rare
    labels.
    """

    gold: int
    f1: Contrast
    p: float | None
    holm_p: float | None


def attachment_contrasts(
    first: Side, second: Side, breakdown: Callable[[Evaluation], dict[str, Attachment]],
) -> dict[str, AttachmentContrast]:
    """Return both sides of a breakdown of sentences."""

    def contrast(name: str, metric: str) -> Contrast:
        return Contrast(*(fmean(getattr(breakdown(run)[name], metric) for run in side) for side in (first, second)))

    metrics = ("uas", "las", "label_accuracy", "exact_labelled")
    return {
        name: AttachmentContrast(scores.sentences, scores.words, *(contrast(name, metric) for metric in metrics))
        for name, scores in breakdown(first[0]).items()
    }


def arc_contrasts(
    first: Side, second: Side, breakdown: Callable[[Evaluation], dict[str, ArcScore]],
) -> dict[str, ArcContrast]:
    """Return both sides of a breakdown of arcs."""
    contrasts = {}
    for name, score in breakdown(first[0]).items():
        one, other = (_pooled(breakdown(run)[name] for run in side) for side in (first, second))
        precision, recall = Contrast(one.precision, other.precision), Contrast(one.recall, other.recall)
        contrasts[name] = ArcContrast(score.gold, precision, recall)
    return contrasts


def label_contrasts(first: Side, second: Side, *, rounds: int, seed: int) -> dict[str, LabelContrast]:
    """Return both sides for each label, ordered by frequency in gold."""
    in_gold = {name: score.gold for run in (*first, *second) for name, score in run.by_label.items()}
    names = sorted(in_gold, key=lambda name: (-in_gold[name], name))
    tested = [name for name in names if in_gold[name] >= TESTED]
    ps = _label_ps(first, second, tested, [in_gold[name] for name in tested], rounds, seed)
    found = dict(zip(tested, zip(ps, holm(ps), strict=True), strict=True))
    f1 = {name: Contrast(_label_f1(first, name), _label_f1(second, name)) for name in names}
    return {name: LabelContrast(in_gold[name], f1[name], *found.get(name, (None, None))) for name in names}


def _pooled(scores: Iterable[ArcScore]) -> ArcScore:
    return ArcScore(*(sum(counts) for counts in zip(*map(astuple, scores), strict=True)))


def _label_f1(side: Side, name: str) -> float:
    scores = [run.by_label.get(name, Score(0, 0, 0)) for run in side]
    counts = zip(*((score.correct, score.gold, score.system) for score in scores), strict=True)
    return Score(*map(sum, counts)).f1


def _label_ps(first: Side, second: Side, names: list[str], in_gold: list[int], rounds: int, seed: int) -> list[float]:
    # Multiplying counts by the number of runs of the other side gives both sides the same number of runs.
    one, other = (np.sum([_label_counts(run, names) for run in side], axis=0) for side in (first, second))
    gold = np.array(in_gold, np.int64) * len(first) * len(second)
    return f1_randomisation(gold, one * len(second), other * len(first), rounds=rounds, seed=seed)


def _label_counts(run: Evaluation, names: list[str]) -> Integers:
    """Return the correct and total number of system arcs for each gold sentence and label."""
    chosen = run.arcs.chosen
    gold, system = chosen.alignment.gold, chosen.alignment.system
    number = {name: i for i, name in enumerate(names)}
    counts = np.zeros((len(gold.sentences), len(names), 2), np.int64)
    for column, layout, mask in ((0, gold, run.arcs.labelled), (1, system, chosen.system)):
        kinds = np.array([number.get(label, -1) for label in labels(layout, run.subtypes)])
        counted = mask & (kinds >= 0)
        np.add.at(counts[:, :, column], (sentences_of(gold, layout.spans)[counted], kinds[counted]), 1)
    return counts
