"""The metrics of the CoNLL 2018 shared task (Zeman et al., CoNLL 2018), equal to the official scorer to the last digit.

    Tokens, Sentences   spans of characters found
    Words               words aligned; everything below compares aligned words
    UPOS, XPOS          the tag
    UFeats              the universal features among FEATS
    AllTags             UPOS, XPOS and UFeats at once
    Lemmas              the lemma; where gold has none, any is right
    UAS                 the head
    LAS                 the head and the label
    CLAS                LAS of content words
    MLAS                CLAS with UPOS and UFeats right, and those and the label right for each functional child
    BLEX                CLAS with the lemma right

Labels are compared without their subtypes (`nsubj:pass` is `nsubj`) unless told otherwise. Content words and functional children are known by their
label, content words on each side by its own. Empty nodes do not count.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gardenpath.evaluation.alignment import Alignment
from gardenpath.evaluation.inventory import CONTENT, FUNCTIONAL, base, universal
from gardenpath.evaluation.layout import ROOT, Integers, Layout, Mask, Span
from gardenpath.evaluation.selection import Selection

METRICS = ("Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas", "UAS", "LAS", "CLAS", "MLAS", "BLEX")


@dataclass(frozen=True, slots=True)
class Score:
    """How many were right, of how many in gold, in the system and among the aligned words; every rate is in per cent."""

    correct: int
    gold: int
    system: int
    aligned: int | None = None

    @property
    def precision(self) -> float:
        """The share of the system's that are right."""
        return percent(self.correct, self.system)

    @property
    def recall(self) -> float:
        """The share of gold's that were found."""
        return percent(self.correct, self.gold)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return percent(2 * self.correct, self.gold + self.system)

    @property
    def aligned_accuracy(self) -> float | None:
        """The share of the aligned words that are right; None where words are not what is counted."""
        return None if self.aligned is None else percent(self.correct, self.aligned)


def percent(part: float, whole: float) -> float:
    """A share in per cent; 0 of nothing is 0."""
    return 100 * (part / whole) if whole else 0.0


def labels(layout: Layout, subtypes: bool) -> list[str]:
    """The labels of all words as they are compared."""
    return [word.deprel if subtypes else base(word.deprel) for word in layout.words]


def heads_agree(alignment: Alignment) -> Mask:
    """For each aligned pair whether the heads are aligned with each other, or both are the root."""
    system_heads = alignment.to_gold()[alignment.system.heads[alignment.system_index]]
    return alignment.gold.heads[alignment.gold_index] == system_heads


def agree(alignment: Alignment, gold: list[str], system: list[str]) -> Mask:
    """For each aligned pair whether the strings of the two words are equal."""
    pairs = zip(alignment.gold_index.tolist(), alignment.system_index.tolist(), strict=True)
    return np.array([gold[g] == system[s] for g, s in pairs], bool)


def official_scores(chosen: Selection, *, subtypes: bool = False) -> dict[str, Score]:
    """Every metric by its official name, in the official order."""
    alignment = chosen.alignment
    gold, system = alignment.gold, alignment.system

    def column(name: str) -> Mask:
        return agree(alignment, [getattr(word, name) for word in gold.words], [getattr(word, name) for word in system.words])

    upos, xpos = column("upos"), column("xpos")
    feats = agree(alignment, [universal(word.feats) for word in gold.words], [universal(word.feats) for word in system.words])
    lemma = column("lemma") | np.array([word.lemma == "_" for word in gold.words], bool)[alignment.gold_index]
    head = heads_agree(alignment)
    label = agree(alignment, labels(gold, subtypes), labels(system, subtypes))
    attached = head & label
    functional = _functional_children_agree(alignment, attached & upos & feats)
    every = _Counter(alignment, chosen.gold, chosen.system)
    content = _Counter(alignment, chosen.gold & _among(gold, CONTENT), chosen.system & _among(system, CONTENT))
    words = every.score(np.ones(len(alignment.gold_index), bool))
    return {
        "Tokens": _spans(chosen, gold.tokens, system.tokens),
        "Sentences": _spans(chosen, gold.sentence_spans, system.sentence_spans),
        "Words": Score(words.correct, words.gold, words.system),
        "UPOS": every.score(upos),
        "XPOS": every.score(xpos),
        "UFeats": every.score(feats),
        "AllTags": every.score(upos & xpos & feats),
        "Lemmas": every.score(lemma),
        "UAS": every.score(head),
        "LAS": every.score(attached),
        "CLAS": content.score(attached),
        "MLAS": content.score(attached & upos & feats & functional),
        "BLEX": content.score(attached & lemma),
    }


class _Counter:
    """Counts right pairs among the chosen words of each side."""

    def __init__(self, alignment: Alignment, gold: Mask, system: Mask) -> None:
        self.pairs = gold[alignment.gold_index]
        self.gold, self.system, self.aligned = int(gold.sum()), int(system.sum()), int(self.pairs.sum())

    def score(self, right: Mask) -> Score:
        return Score(int((right & self.pairs).sum()), self.gold, self.system, self.aligned)


def _spans(chosen: Selection, gold: list[Span], system: list[Span]) -> Score:
    kept = [[span for span, keep in zip(spans, chosen.holds(spans).tolist(), strict=True) if keep] for spans in (gold, system)]
    return Score(len(set(kept[0]) & set(kept[1])), len(kept[0]), len(kept[1]))


def _among(layout: Layout, relations: frozenset[str]) -> Mask:
    return np.array([base(word.deprel) in relations for word in layout.words], bool)


def _functional_children_agree(alignment: Alignment, right: Mask) -> Mask:
    """For each aligned pair whether all functional children of both words are aligned and right.

    Aligned children keep their order, so it is enough that their number is that of all functional children on either side.
    """
    gold, system = _among(alignment.gold, FUNCTIONAL), _among(alignment.system, FUNCTIONAL)
    both = right & gold[alignment.gold_index] & system[alignment.system_index]
    found = _children(alignment.gold.heads[alignment.gold_index[both]], len(gold))[alignment.gold_index]
    of_gold = _children(alignment.gold.heads[gold], len(gold))[alignment.gold_index]
    of_system = _children(alignment.system.heads[system], len(system))[alignment.system_index]
    return (found == of_gold) & (found == of_system)


def _children(heads: Integers, words: int) -> Integers:
    return np.bincount(heads[heads != ROOT], minlength=words)
