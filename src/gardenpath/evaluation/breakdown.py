"""Breakdowns of labelled attachment by label, arc length, and projectivity of arcs and trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gardenpath.evaluation.attachment import Arcs, Attachment, Bins, attachment_scores, bin_of
from gardenpath.evaluation.layout import ROOT, Integers, Mask, TextLayout
from gardenpath.evaluation.scores import Score, labels, percent
from gardenpath.trees import is_projective, nonprojective_arcs

ARC_BINS: Bins = (("root", 0), ("1", 1), ("2", 2), ("3-6", 3), ("7", 7), ("8-", 8))
CROSSING_BINS: Bins = (("projective arcs", 0), ("non-projective arcs", 1))


def scores_by_label(arcs: Arcs) -> dict[str, Score]:
    """Return labelled attachment for each label, ordered by frequency in gold.

    Precision is computed over predicted arcs, recall over gold arcs.
    """
    gold, system = (labels(side, arcs.subtypes) for side in (arcs.chosen.alignment.gold, arcs.chosen.alignment.system))
    in_gold, in_system = _tally(gold, arcs.chosen.gold), _tally(system, arcs.chosen.system)
    correct = _tally(gold, arcs.labelled)
    names = sorted(in_gold | in_system, key=lambda name: (-in_gold[name], -in_system[name], name))
    return {name: Score(correct[name], in_gold[name], in_system[name]) for name in names}


@dataclass(frozen=True, slots=True)
class ArcScore:
    """Labelled attachment of arcs of one kind.

    The same arc may be of different kinds in gold and in the system: its length depends on the tokenization, and its
    projectivity depends on other arcs. Therefore there are two counts of correct arcs.
    """

    gold: int
    gold_correct: int
    system: int
    system_correct: int

    @property
    def precision(self) -> float:
        """The percentage of predicted arcs of this kind that are correct."""
        return percent(self.system_correct, self.system)

    @property
    def recall(self) -> float:
        """The percentage of gold arcs of this kind that the system found."""
        return percent(self.gold_correct, self.gold)


def scores_by_length(arcs: Arcs) -> dict[str, ArcScore]:
    """Return labelled attachment by the distance between word and head in words (McDonald and Nivre, EMNLP 2007)."""
    return _arc_scores(arcs, ARC_BINS, _distances)


def scores_by_crossing(arcs: Arcs) -> dict[str, ArcScore]:
    """Return labelled attachment of projective and non-projective arcs; each side is judged by its own trees."""
    return _arc_scores(arcs, CROSSING_BINS, _crossings)


def scores_by_projectivity(arcs: Arcs) -> dict[str, Attachment]:
    """Return the attachment scores of sentences with a projective and with a non-projective gold tree.

    A kind without sentences is left out.
    """
    projective = np.array([is_projective(sentence.heads) for sentence in arcs.chosen.alignment.gold.sentences], bool)
    kinds = {"projective": attachment_scores(arcs, projective), "non-projective": attachment_scores(arcs, ~projective)}
    return {name: scores for name, scores in kinds.items() if scores.sentences}


def _tally(names: list[str], mask: Mask) -> Counter[str]:
    return Counter(name for name, counted in zip(names, mask.tolist(), strict=True) if counted)


def _arc_scores(arcs: Arcs, bins: Bins, measure: Callable[[TextLayout], Integers]) -> dict[str, ArcScore]:
    """Return labelled attachment of the arcs in each bin of `measure`."""
    gold, system = (bin_of(measure(side), bins) for side in (arcs.chosen.alignment.gold, arcs.chosen.alignment.system))
    masks = (
        (gold, arcs.chosen.gold), (gold, arcs.labelled), (system, arcs.chosen.system), (system, arcs.system_labelled),
    )
    counts = [np.bincount(kinds[mask], minlength=len(bins)).tolist() for kinds, mask in masks]
    return {name: ArcScore(*(count[i] for count in counts)) for i, (name, _) in enumerate(bins)}


def _distances(layout: TextLayout) -> Integers:
    """Return the distance from each word to its head in words, 0 for the root."""
    return np.where(layout.heads == ROOT, 0, np.abs(layout.heads - np.arange(len(layout.heads))))


def _crossings(layout: TextLayout) -> Integers:
    """Return 1 for each word whose arc is non-projective, and 0 for all others."""
    crossings = np.zeros(len(layout.words), np.int64)
    before = 0
    for sentence in layout.sentences:
        crossings[[before + word - 1 for _, word in nonprojective_arcs(sentence.heads)]] = 1
        before += len(sentence)
    return crossings
