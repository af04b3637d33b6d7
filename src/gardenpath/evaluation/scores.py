"""The metrics of the CoNLL 2018 shared task (Zeman et al., CoNLL 2018), identical to the official scorer.

    Tokens, Sentences   the span in characters
    Words               aligned words; the metrics below compare aligned words
    UPOS, XPOS          the tag
    UFeats              the universal features in FEATS
    AllTags             UPOS, XPOS and UFeats together
    Lemmas              the lemma; if gold has no lemma, any lemma is correct
    UAS                 the head
    LAS                 the head and the label
    CLAS                LAS of content words
    MLAS                CLAS with correct UPOS and UFeats, and correct label, UPOS and UFeats of functional dependents
    BLEX                CLAS with correct lemma

By default labels are compared without their subtypes (`nsubj:pass` equals `nsubj`). Content words and functional
dependents are identified by their labels; for content words, each side uses its own labels. Empty nodes are ignored.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gardenpath.evaluation.alignment import Alignment
from gardenpath.evaluation.inventory import CONTENT, FUNCTIONAL, base, universal
from gardenpath.evaluation.layout import ROOT, Integers, Mask, Span, TextLayout
from gardenpath.evaluation.selection import Selection

METRICS = (
    "Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas", "UAS", "LAS", "CLAS", "MLAS", "BLEX",
)


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of correct, gold, system and aligned items. All rates are in per cent."""

    correct: int
    gold: int
    system: int
    aligned: int | None = None

    @property
    def precision(self) -> float:
        """The percentage of system items that are correct."""
        return percent(self.correct, self.system)

    @property
    def recall(self) -> float:
        """The percentage of gold items that the system found."""
        return percent(self.correct, self.gold)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return percent(2 * self.correct, self.gold + self.system)

    @property
    def aligned_accuracy(self) -> float | None:
        """The percentage of aligned words that are correct, or None if the items are not aligned words."""
        return None if self.aligned is None else percent(self.correct, self.aligned)


def percent(part: float, whole: float) -> float:
    """Return a share in per cent, or 0 if the whole is 0."""
    return 100 * (part / whole) if whole else 0.0


def labels(layout: TextLayout, subtypes: bool) -> list[str]:
    """Return the labels of all words, without subtypes unless `subtypes` is set."""
    return [word.deprel if subtypes else base(word.deprel) for word in layout.words]


def heads_agree(alignment: Alignment) -> Mask:
    """Return for each aligned pair whether the heads are aligned with each other or are both the root."""
    system_heads = alignment.to_gold()[alignment.system.heads[alignment.system_index]]
    return alignment.gold.heads[alignment.gold_index] == system_heads


def agree(alignment: Alignment, gold: list[str], system: list[str]) -> Mask:
    """Return for each aligned pair whether the strings of the two words are equal."""
    pairs = zip(alignment.gold_index.tolist(), alignment.system_index.tolist(), strict=True)
    return np.array([gold[g] == system[s] for g, s in pairs], bool)


def official_scores(chosen: Selection, *, subtypes: bool = False) -> dict[str, Score]:
    """Return all metrics by their official names, in the official order."""
    alignment = chosen.alignment
    gold, system = alignment.gold, alignment.system

    def column(name: str) -> Mask:
        return agree(alignment, *([getattr(word, name) for word in side.words] for side in (gold, system)))

    upos, xpos = column("upos"), column("xpos")
    feats = agree(alignment, *([universal(word.raw_feats) for word in side.words] for side in (gold, system)))
    lemma = column("lemma") | np.array([word.lemma == "_" for word in gold.words], bool)[alignment.gold_index]
    head = heads_agree(alignment)
    label = agree(alignment, labels(gold, subtypes), labels(system, subtypes))
    attached = head & label
    functional = _functional_dependents_agree(alignment, attached & upos & feats)
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
    """A counter of correct pairs among the selected words of each side."""

    def __init__(self, alignment: Alignment, gold: Mask, system: Mask) -> None:
        self.pairs = gold[alignment.gold_index]
        self.gold, self.system, self.aligned = int(gold.sum()), int(system.sum()), int(self.pairs.sum())

    def score(self, right: Mask) -> Score:
        return Score(int((right & self.pairs).sum()), self.gold, self.system, self.aligned)


def _spans(chosen: Selection, gold: list[Span], system: list[Span]) -> Score:
    in_gold, in_system = (
        [span for span, keep in zip(spans, chosen.holds(spans).tolist(), strict=True) if keep]
        for spans in (gold, system)
    )
    return Score(len(set(in_gold) & set(in_system)), len(in_gold), len(in_system))


def _among(layout: TextLayout, relations: frozenset[str]) -> Mask:
    return np.array([base(word.deprel) in relations for word in layout.words], bool)


def _functional_dependents_agree(alignment: Alignment, right: Mask) -> Mask:
    """Return for each aligned pair whether all functional dependents of both words are aligned and correct.

    It is enough to compare counts: the number of aligned correct dependents must equal the number of functional
    dependents on both sides.
    """
    gold, system = _among(alignment.gold, FUNCTIONAL), _among(alignment.system, FUNCTIONAL)
    both = right & gold[alignment.gold_index] & system[alignment.system_index]
    found = _dependents(alignment.gold.heads[alignment.gold_index[both]], len(gold))[alignment.gold_index]
    of_gold = _dependents(alignment.gold.heads[gold], len(gold))[alignment.gold_index]
    of_system = _dependents(alignment.system.heads[system], len(system))[alignment.system_index]
    return (found == of_gold) & (found == of_system)


def _dependents(heads: Integers, words: int) -> Integers:
    return np.bincount(heads[heads != ROOT], minlength=words)
