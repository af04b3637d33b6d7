"""The attachment scores of parsing research, counted over the words of gold.

A gold word without an aligned system word counts as wrong, so with the same tokens on both sides UAS and LAS are the official ones, and otherwise
they are the official recall. Label accuracy asks for the label alone; exact match for every scored word of a sentence.
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
    """Counts for each scored sentence, in the order of gold; a sentence with no word to score is left out.

    `lengths` are all words of each sentence, `counted` those that are scored, and the rest how many of these have the right head, label, or both.
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
        """Words with the right head, in per cent."""
        return percent(int(self.right_heads.sum()), self.words)

    @property
    def las(self) -> float:
        """Words with the right head and label, in per cent."""
        return percent(int(self.right_both.sum()), self.words)

    @property
    def label_accuracy(self) -> float:
        """Words with the right label, whatever their head, in per cent."""
        return percent(int(self.right_labels.sum()), self.words)

    @property
    def exact_unlabelled(self) -> float:
        """Sentences with every head right, in per cent."""
        return percent(int((self.right_heads == self.counted).sum()), self.sentences)

    @property
    def exact_labelled(self) -> float:
        """Sentences with every head and label right, in per cent."""
        return percent(int((self.right_both == self.counted).sum()), self.sentences)

    def tally(self, metric: str) -> tuple[Integers, Integers]:
        """For each sentence how much of it is right by a metric, and of how much: words, or for exact match the sentence itself."""
        if metric in WORD_METRICS:
            return getattr(self, WORD_METRICS[metric]), self.counted
        if metric not in SENTENCE_METRICS:
            raise UsageError(f"no metric {metric!r}; use one of {', '.join((*WORD_METRICS, *SENTENCE_METRICS))}")
        return (getattr(self, SENTENCE_METRICS[metric]) == self.counted).astype(np.int64), np.ones_like(self.counted)

    def of(self, sentences: Mask) -> Attachment:
        """The same counts for some of the sentences."""
        columns = (self.lengths, self.counted, self.right_heads, self.right_labels, self.right_both)
        return Attachment(*(column[sentences] for column in columns))

    def by_sentence_length(self) -> dict[str, Attachment]:
        """The scores of short and long sentences; bins without a sentence are left out."""
        bins = bin_of(self.lengths, SENTENCE_BINS)
        return {name: self.of(bins == i) for i, (name, _) in enumerate(SENTENCE_BINS) if (bins == i).any()}


@dataclass(frozen=True, slots=True)
class Arcs:
    """Which arcs are right: masks over the words of gold, and one over those of the system; `labelled` asks for head and label."""

    chosen: Selection
    heads: Mask
    labels: Mask
    labelled: Mask
    system_labelled: Mask
    subtypes: bool


def compare_arcs(chosen: Selection, *, subtypes: bool = False) -> Arcs:
    """Compare the arcs of the chosen words; with `subtypes` `nsubj:pass` is not `nsubj`."""
    alignment = chosen.alignment
    gold, system = alignment.gold, alignment.system
    head = heads_agree(alignment)
    label = agree(alignment, labels(gold, subtypes), labels(system, subtypes))

    def spread(right: Mask, where: Integers, words: int) -> Mask:
        mask = np.zeros(words, bool)
        mask[where] = right
        return mask

    heads, named, both = (spread(right, alignment.gold_index, len(gold.words)) & chosen.gold for right in (head, label, head & label))
    of_system = spread(head & label, alignment.system_index, len(system.words)) & chosen.system
    return Arcs(chosen, heads, named, both, of_system, subtypes)


def attachment_scores(arcs: Arcs, among: Mask | None = None) -> Attachment:
    """Count the right arcs of each gold sentence, or of some of them."""
    gold = arcs.chosen.alignment.gold
    starts = gold.starts()
    every = [np.add.reduceat(mask.astype(np.int64), starts) for mask in (arcs.chosen.gold, arcs.heads, arcs.labels, arcs.labelled)]
    scored = every[0] > 0
    return Attachment(gold.lengths(), *every).of(scored if among is None else scored & among)


def bin_of(values: Integers, bins: Bins) -> Integers:
    """The bin of each value; each bin has a name and its least value."""
    return np.searchsorted([first for _, first in bins], values, side="right") - 1
