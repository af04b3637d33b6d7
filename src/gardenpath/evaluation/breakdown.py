"""Where the arcs went wrong: labelled attachment by label, and by what the arcs or the trees are like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gardenpath.evaluation.attachment import Arcs, Attachment, Bins, attachment_scores, bin_of
from gardenpath.evaluation.layout import ROOT, Integers, Layout, Mask
from gardenpath.evaluation.scores import Score, labels, percent
from gardenpath.trees import is_projective, nonprojective_arcs

ARC_BINS: Bins = (("root", 0), ("1", 1), ("2", 2), ("3-6", 3), ("7", 7), ("8-", 8))
CROSSING_BINS: Bins = (("projective arcs", 0), ("non-projective arcs", 1))


def scores_by_label(arcs: Arcs) -> dict[str, Score]:
    """Labelled attachment for each label, the most frequent in gold first: precision over the system's arcs, recall over gold's."""
    gold, system = (labels(side, arcs.subtypes) for side in (arcs.chosen.alignment.gold, arcs.chosen.alignment.system))
    in_gold, in_system, correct = _tally(gold, arcs.chosen.gold), _tally(system, arcs.chosen.system), _tally(gold, arcs.labelled)
    names = sorted(in_gold | in_system, key=lambda name: (-in_gold[name], -in_system[name], name))
    return {name: Score(correct[name], in_gold[name], in_system[name]) for name in names}


@dataclass(frozen=True, slots=True)
class ArcScore:
    """Labelled attachment of arcs of one kind.

    The same arc may be of one kind in gold and of another in the system: where tokens differ lengths do, and whether an arc is projective depends on
    other arcs, too. Hence two counts of right ones.
    """

    gold: int
    gold_correct: int
    system: int
    system_correct: int

    @property
    def precision(self) -> float:
        """The share of the system's arcs of this kind that are right, in per cent."""
        return percent(self.system_correct, self.system)

    @property
    def recall(self) -> float:
        """The share of gold's arcs of this kind that were found, in per cent."""
        return percent(self.gold_correct, self.gold)


def scores_by_length(arcs: Arcs) -> dict[str, ArcScore]:
    """Labelled attachment by the distance between word and head, in words (McDonald and Nivre, EMNLP 2007)."""
    return _arc_scores(arcs, ARC_BINS, _distances)


def scores_by_crossing(arcs: Arcs) -> dict[str, ArcScore]:
    """Labelled attachment of projective and of non-projective arcs, each side's arcs in its own tree."""
    return _arc_scores(arcs, CROSSING_BINS, _crossings)


def scores_by_projectivity(arcs: Arcs) -> dict[str, Attachment]:
    """The attachment scores of sentences whose gold tree is projective, and of the others; a kind without a sentence is left out."""
    projective = np.array([is_projective(sentence.heads) for sentence in arcs.chosen.alignment.gold.sentences], bool)
    kinds = {"projective": attachment_scores(arcs, projective), "non-projective": attachment_scores(arcs, ~projective)}
    return {name: scores for name, scores in kinds.items() if scores.sentences}


def _tally(names: list[str], mask: Mask) -> Counter[str]:
    return Counter(name for name, counted in zip(names, mask.tolist(), strict=True) if counted)


def _arc_scores(arcs: Arcs, bins: Bins, measure: Callable[[Layout], Integers]) -> dict[str, ArcScore]:
    """Labelled attachment of the arcs in each bin of what is measured of them."""
    gold, system = (bin_of(measure(side), bins) for side in (arcs.chosen.alignment.gold, arcs.chosen.alignment.system))
    masks = (gold, arcs.chosen.gold), (gold, arcs.labelled), (system, arcs.chosen.system), (system, arcs.system_labelled)
    counts = [np.bincount(kinds[mask], minlength=len(bins)).tolist() for kinds, mask in masks]
    return {name: ArcScore(*(count[i] for count in counts)) for i, (name, _) in enumerate(bins)}


def _distances(layout: Layout) -> Integers:
    """From each word to its head, in words; 0 to the root."""
    return np.where(layout.heads == ROOT, 0, np.abs(layout.heads - np.arange(len(layout.heads))))


def _crossings(layout: Layout) -> Integers:
    """For each word 1 if the arc to it is non-projective, else 0."""
    crossings = np.zeros(len(layout.words), np.int64)
    before = 0
    for sentence in layout.sentences:
        crossings[[before + word - 1 for _, word in nonprojective_arcs(sentence.heads)]] = 1
        before += len(sentence)
    return crossings
