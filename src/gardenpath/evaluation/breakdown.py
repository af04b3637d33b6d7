"""Where the arcs went wrong: labelled attachment by label and by the length of arcs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from gardenpath.evaluation.attachment import Arcs, bin_of
from gardenpath.evaluation.layout import ROOT, Integers, Layout, Mask
from gardenpath.evaluation.scores import Score, labels, percent

ARC_BINS = (("root", 0), ("1", 1), ("2", 2), ("3-6", 3), ("7", 7), ("8-", 8))


def scores_by_label(arcs: Arcs) -> dict[str, Score]:
    """Labelled attachment for each label, the most frequent in gold first: precision over the system's arcs, recall over gold's."""
    gold, system = (labels(side, arcs.subtypes) for side in (arcs.chosen.alignment.gold, arcs.chosen.alignment.system))
    in_gold, in_system, correct = _tally(gold, arcs.chosen.gold), _tally(system, arcs.chosen.system), _tally(gold, arcs.labelled)
    names = sorted(in_gold | in_system, key=lambda name: (-in_gold[name], -in_system[name], name))
    return {name: Score(correct[name], in_gold[name], in_system[name]) for name in names}


@dataclass(frozen=True, slots=True)
class LengthScore:
    """Labelled attachment of arcs of some length; with differing tokens the same arc may have two lengths, hence two counts of right ones."""

    gold: int
    gold_correct: int
    system: int
    system_correct: int

    @property
    def precision(self) -> float:
        """The share of the system's arcs of this length that are right, in per cent."""
        return percent(self.system_correct, self.system)

    @property
    def recall(self) -> float:
        """The share of gold's arcs of this length that were found, in per cent."""
        return percent(self.gold_correct, self.gold)


def scores_by_length(arcs: Arcs) -> dict[str, LengthScore]:
    """Labelled attachment by the distance between word and head, in words (McDonald and Nivre, EMNLP 2007)."""
    gold, system = _arc_bins(arcs.chosen.alignment.gold), _arc_bins(arcs.chosen.alignment.system)
    masks = (gold, arcs.chosen.gold), (gold, arcs.labelled), (system, arcs.chosen.system), (system, arcs.system_labelled)
    counts = [np.bincount(bins[mask], minlength=len(ARC_BINS)).tolist() for bins, mask in masks]
    return {name: LengthScore(*(count[i] for count in counts)) for i, (name, _) in enumerate(ARC_BINS)}


def _tally(names: list[str], mask: Mask) -> Counter[str]:
    return Counter(name for name, counted in zip(names, mask.tolist(), strict=True) if counted)


def _arc_bins(layout: Layout) -> Integers:
    distance = np.abs(layout.heads - np.arange(len(layout.heads)))
    return bin_of(np.where(layout.heads == ROOT, 0, distance), ARC_BINS)
