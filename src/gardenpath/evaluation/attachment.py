"""The attachment scores of parsing research, computed over gold words.

A gold word without an aligned system word counts as wrong. If both sides have the same tokens, UAS and LAS equal the
official scores; otherwise they equal the official recall. Label accuracy compares only the labels. Exact match requires
that all scored words of a sentence are correct.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gardenpath.errors import UsageError
from gardenpath.evaluation.layout import Integers, Mask
from gardenpath.evaluation.scores import agree, heads_agree, labels, percent
from gardenpath.evaluation.selection import Selection

Bins = tuple[tuple[str, int], ...]

SENTENCE_BINS: Bins = (("1-10", 1), ("11-20", 11), ("21-30", 21), ("31-40", 31), ("41-50", 41), ("51-", 51))
WORD_METRICS = {"las": "right_both", "uas": "right_heads", "label_accuracy": "right_labels"}
SENTENCE_METRICS = {"exact_labelled": "right_both", "exact_unlabelled": "right_heads"}


@dataclass(frozen=True, slots=True, eq=False)
class Attachment:
    """Counts for each scored sentence, in the order of gold. Sentences without scored words are left out.

    `lengths` are the numbers of all words of each sentence, `counted` the numbers of scored words, and `right_heads`,
    `right_labels` and `right_both` the numbers of scored words with the correct head, label, or both.
    """

    lengths: Integers
    counted: Integers
    right_heads: Integers
    right_labels: Integers
    right_both: Integers

    @property
    def sentences(self) -> int:
        """The number of scored sentences."""
        return len(self.counted)

    @property
    def words(self) -> int:
        """The number of scored words."""
        return int(self.counted.sum())

    @property
    def uas(self) -> float:
        """The percentage of words with the correct head."""
        return percent(int(self.right_heads.sum()), self.words)

    @property
    def las(self) -> float:
        """The percentage of words with the correct head and label."""
        return percent(int(self.right_both.sum()), self.words)

    @property
    def label_accuracy(self) -> float:
        """The percentage of words with the correct label; heads are ignored."""
        return percent(int(self.right_labels.sum()), self.words)

    @property
    def exact_unlabelled(self) -> float:
        """The percentage of sentences in which all heads are correct."""
        return percent(int((self.right_heads == self.counted).sum()), self.sentences)

    @property
    def exact_labelled(self) -> float:
        """The percentage of sentences in which all heads and labels are correct."""
        return percent(int((self.right_both == self.counted).sum()), self.sentences)

    def tally(self, metric: str) -> tuple[Integers, Integers]:
        """Return the correct and total counts of a metric for each sentence: words, or sentences for exact match."""
        if metric in WORD_METRICS:
            return getattr(self, WORD_METRICS[metric]), self.counted
        if metric not in SENTENCE_METRICS:
            metrics = ", ".join((*WORD_METRICS, *SENTENCE_METRICS))
            raise UsageError(f"no metric is called {metric!r}; use one of {metrics}")
        return (getattr(self, SENTENCE_METRICS[metric]) == self.counted).astype(np.int64), np.ones_like(self.counted)

    def of(self, sentences: Mask) -> Attachment:
        """Return the counts of the selected sentences."""
        columns = (self.lengths, self.counted, self.right_heads, self.right_labels, self.right_both)
        return Attachment(*(column[sentences] for column in columns))

    def by_sentence_length(self) -> dict[str, Attachment]:
        """Return the scores by sentence length. Bins without sentences are left out."""
        bins = bin_of(self.lengths, SENTENCE_BINS)
        return {name: self.of(bins == i) for i, (name, _) in enumerate(SENTENCE_BINS) if (bins == i).any()}


@dataclass(frozen=True, slots=True)
class Arcs:
    """Masks of the correct arcs.

    `heads`, `labels` and `labelled` (head and label) are masks over gold words, `system_labelled` over system words.
    """

    chosen: Selection
    heads: Mask
    labels: Mask
    labelled: Mask
    system_labelled: Mask
    subtypes: bool


def compare_arcs(chosen: Selection, *, subtypes: bool = False) -> Arcs:
    """Compare the arcs of the selected words. With `subtypes`, `nsubj:pass` and `nsubj` are different labels."""
    alignment = chosen.alignment
    gold, system = alignment.gold, alignment.system
    head = heads_agree(alignment)
    label = agree(alignment, labels(gold, subtypes), labels(system, subtypes))

    def spread(right: Mask, where: Integers, words: int) -> Mask:
        mask = np.zeros(words, bool)
        mask[where] = right
        return mask

    heads, named, both = (
        spread(right, alignment.gold_index, len(gold.words)) & chosen.gold for right in (head, label, head & label)
    )
    of_system = spread(head & label, alignment.system_index, len(system.words)) & chosen.system
    return Arcs(chosen, heads, named, both, of_system, subtypes)


def attachment_scores(arcs: Arcs, among: Mask | None = None) -> Attachment:
    """Count the correct arcs of each gold sentence, or of the sentences in `among`."""
    gold = arcs.chosen.alignment.gold
    starts = gold.starts()
    masks = (arcs.chosen.gold, arcs.heads, arcs.labels, arcs.labelled)
    every = [np.add.reduceat(mask.astype(np.int64), starts) for mask in masks]
    scored = every[0] > 0
    return Attachment(gold.lengths(), *every).of(scored if among is None else scored & among)


def bin_of(values: Integers, bins: Bins) -> Integers:
    """Return the bin number of each value. A bin is a name and its smallest value."""
    return np.searchsorted([first for _, first in bins], values, side="right") - 1
