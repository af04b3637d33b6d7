"""Which words and spans are scored: all of them officially, or all but punctuation, or those of non-projective sentences."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gardenpath.errors import InputError
from gardenpath.evaluation.alignment import Alignment
from gardenpath.evaluation.layout import Integers, Layout, Mask, Span
from gardenpath.trees import is_projective


@dataclass(frozen=True, slots=True)
class Selection:
    """What is scored: a mask over the gold sentences, and one over the words of each side.

    Punctuation is what gold tags PUNCT; a word of the system goes the way of its gold word, and one without a gold word is judged by its own tag.
    Tokens and sentences are never left out for being punctuation. A piece of the system belongs to the gold sentence in which it starts.
    """

    alignment: Alignment
    sentences: Mask
    gold: Mask
    system: Mask

    def holds(self, spans: list[Span]) -> Mask:
        """Whether each span starts in a chosen gold sentence."""
        return _in_sentences(self.alignment.gold, self.sentences, spans)


def select(alignment: Alignment, *, punctuation: bool = True, nonprojective_only: bool = False) -> Selection:
    """Choose what is scored; nothing left is an `InputError`."""
    gold, system = alignment.gold, alignment.system
    sentences = np.ones(len(gold.sentences), bool)
    if nonprojective_only:
        sentences = np.array([not is_projective(sentence.heads) for sentence in gold.sentences], bool)
        if not sentences.any():
            raise InputError(f"{gold.place(0)}: no sentence of gold is non-projective; score all sentences instead")
    chosen = Selection(alignment, sentences, _in_sentences(gold, sentences, gold.spans), _in_sentences(gold, sentences, system.spans))
    if not punctuation:
        _leave_out_punctuation(chosen)
    if not chosen.gold.any():
        raise InputError(f"{gold.place(0)}: gold has nothing but punctuation; count punctuation")
    return chosen


def _leave_out_punctuation(chosen: Selection) -> None:
    alignment = chosen.alignment
    gold, system = _punctuation(alignment.gold), _punctuation(alignment.system)
    system[alignment.system_index] = gold[alignment.gold_index]
    np.logical_and(chosen.gold, ~gold, out=chosen.gold)
    np.logical_and(chosen.system, ~system, out=chosen.system)


def _punctuation(layout: Layout) -> Mask:
    return np.array([word.upos == "PUNCT" for word in layout.words], bool)


def sentences_of(gold: Layout, spans: list[Span]) -> Integers:
    """The number of the gold sentence in which each span starts."""
    starts = np.array([start for start, _ in gold.sentence_spans])
    return np.searchsorted(starts, np.array([start for start, _ in spans]), side="right") - 1


def _in_sentences(gold: Layout, sentences: Mask, spans: list[Span]) -> Mask:
    return np.ones(len(spans), bool) if sentences.all() else sentences[sentences_of(gold, spans)]
