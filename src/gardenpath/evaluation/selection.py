"""The words and spans that are scored: all, all except punctuation, or those of non-projective sentences."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gardenpath.errors import InputError
from gardenpath.evaluation.alignment import Alignment
from gardenpath.evaluation.layout import Integers, Mask, Span, TextLayout
from gardenpath.trees import is_projective


@dataclass(frozen=True, slots=True)
class Selection:
    """A mask over the gold sentences and a mask over the words of each side.

    A gold word is punctuation if its UPOS is PUNCT. A system word is punctuation if its aligned gold word is; without
    an aligned gold word, its own UPOS decides. The scores of tokens and sentences always include punctuation. A span of
    the system belongs to the gold sentence in which it starts.
    """

    alignment: Alignment
    sentences: Mask
    gold: Mask
    system: Mask

    def holds(self, spans: list[Span]) -> Mask:
        """Return whether each span starts in a selected gold sentence."""
        return _in_sentences(self.alignment.gold, self.sentences, spans)


def select(alignment: Alignment, *, punctuation: bool = True, nonprojective_only: bool = False) -> Selection:
    """Select what is scored. If nothing is left, an `InputError` is raised."""
    gold, system = alignment.gold, alignment.system
    sentences = np.ones(len(gold.sentences), bool)
    if nonprojective_only:
        sentences = np.array([not is_projective(sentence.heads) for sentence in gold.sentences], bool)
        if not sentences.any():
            raise InputError(f"{gold.place(0)}: no sentence of gold is non-projective; score all sentences instead")
    words = [_in_sentences(gold, sentences, side.spans) for side in (gold, system)]
    chosen = Selection(alignment, sentences, *words)
    if not punctuation:
        _leave_out_punctuation(chosen)
    if not chosen.gold.any():
        raise InputError(f"{gold.place(0)}: gold has nothing but punctuation; score punctuation as well")
    return chosen


def _leave_out_punctuation(chosen: Selection) -> None:
    alignment = chosen.alignment
    gold, system = _punctuation(alignment.gold), _punctuation(alignment.system)
    system[alignment.system_index] = gold[alignment.gold_index]
    np.logical_and(chosen.gold, ~gold, out=chosen.gold)
    np.logical_and(chosen.system, ~system, out=chosen.system)


def _punctuation(layout: TextLayout) -> Mask:
    return np.array([word.upos == "PUNCT" for word in layout.words], bool)


def sentences_of(gold: TextLayout, spans: list[Span]) -> Integers:
    """Return the number of the gold sentence in which each span starts."""
    starts = np.array([start for start, _ in gold.sentence_spans])
    return np.searchsorted(starts, np.array([start for start, _ in spans]), side="right") - 1


def _in_sentences(gold: TextLayout, sentences: Mask, spans: list[Span]) -> Mask:
    return np.ones(len(spans), bool) if sentences.all() else sentences[sentences_of(gold, spans)]
