"""Replacement of words in training: sentences with other words and the same tags and trees.

Nonce sentences (Gulordava et al., NAACL 2018) as training data for parsers: Vania et al. (EMNLP 2019). The network
learns to rely less on single words, which a small treebank has rarely seen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from gardenpath.tagging.lemma_pairs import Tag

CONTENT = frozenset(("ADJ", "ADV", "INTJ", "NOUN", "NUM", "PROPN", "SYM", "VERB", "X"))      # the UPOS of content words

PROBABILITY = 0.2            # of a replacement, in a small treebank of an inflected language
SMALL = 40_000               # words of a treebank; a larger one has more sentences for each word of its own
RICH = (5.0, 10.0)           # perplexities of tags given UPOS: no replacement at the first, all at the second


def probability_for(tags: Sequence[Tag], numbers: np.ndarray) -> float:
    """Return the probability of a replacement for a treebank: its tags, and the number of the tag of each word.

    Words with the same tag must have much in common. This depends on the perplexity of the tags of content words given
    their UPOS: e^(H(tag) - H(UPOS)). It is 13 in Hungarian, 5 in French, 3 in English and 1.5 in Vietnamese.
    """
    counts = np.bincount(numbers, minlength=len(tags)) * _are_content(tags)
    classes = {upos: number for number, upos in enumerate(dict.fromkeys(upos for upos, _, _ in tags))}
    by_class = np.bincount([classes[upos] for upos, _, _ in tags], counts)
    perplexity = math.exp(_entropy(counts) - _entropy(by_class))
    richness = min(max((perplexity - RICH[0]) / (RICH[1] - RICH[0]), 0.0), 1.0)
    return PROBABILITY * richness * min(1.0, SMALL / len(numbers)) ** 2


def _are_content(tags: Sequence[Tag]) -> np.ndarray:
    return np.array([upos in CONTENT for upos, _, _ in tags], np.bool_)


def _entropy(counts: np.ndarray) -> float:
    shares = counts[counts > 0] / max(counts.sum(), 1)
    return float(-(shares * np.log(shares)).sum())


class WordReplacement:
    """Replaces content words of a treebank by others with the same UPOS, XPOS and FEATS, by their frequency."""

    def __init__(self, probability: float | None, tags: Sequence[Tag], numbers: np.ndarray) -> None:
        """Take the tags of the treebank, and the number of the tag of each of its words.

        If there is no probability, it depends on the treebank.
        """
        self.probability = probability_for(tags, numbers) if probability is None else probability
        self.numbers = numbers
        self.by_tag = np.argsort(numbers, kind="stable")                     # the words, sorted by their tags
        self.counts = np.bincount(numbers, minlength=len(tags))
        self.first = np.cumsum(self.counts) - self.counts
        self.can_change = _are_content(tags)

    def __call__(self, places: np.ndarray, random: np.random.Generator) -> np.ndarray:
        """Return the words to show instead of the words at these places of the treebank, mostly the same ones."""
        if not self.probability:
            return places
        numbers = self.numbers[places]
        drawn = (random.random(len(places)) * self.counts[numbers]).astype(np.int64)
        is_replaced = self.can_change[numbers] & (random.random(len(places)) < self.probability)
        return np.where(is_replaced, self.by_tag[self.first[numbers] + drawn], places)
