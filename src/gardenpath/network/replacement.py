"""Replacement of words in training: sentences with other words and the same tags and trees.

Nonce sentences (Gulordava et al., NAACL 2018) as training data for parsers: Vania et al. (EMNLP 2019). The network
learns to rely less on single words, which a small treebank has rarely seen.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gardenpath.tagging.lemma_pairs import Tag

CONTENT = frozenset(("ADJ", "ADV", "INTJ", "NOUN", "NUM", "PROPN", "SYM", "VERB", "X"))      # the UPOS of content words

PROBABILITY = 0.2            # of a replacement, in a small treebank
SMALL = 40_000               # words of a treebank; a larger one has more sentences for each word of its own


def probability_for(words: int) -> float:
    """Return the probability of a replacement for a treebank of this number of words."""
    return PROBABILITY * min(1.0, SMALL / max(words, 1)) ** 2


class WordReplacement:
    """Replaces content words of a treebank by others with the same UPOS, XPOS and FEATS, by their frequency."""

    def __init__(self, probability: float, tags: Sequence[Tag], numbers: np.ndarray) -> None:
        """Take the tags of the treebank, and the number of the tag of each of its words."""
        self.probability = probability
        self.numbers = numbers
        self.by_tag = np.argsort(numbers, kind="stable")                     # the words, sorted by their tags
        self.counts = np.bincount(numbers, minlength=len(tags))
        self.first = np.cumsum(self.counts) - self.counts
        self.can_change = np.array([upos in CONTENT for upos, _, _ in tags], np.bool_)

    def __call__(self, places: np.ndarray, random: np.random.Generator) -> np.ndarray:
        """Return the words to show instead of the words at these places of the treebank, mostly the same ones."""
        if not self.probability:
            return places
        numbers = self.numbers[places]
        drawn = (random.random(len(places)) * self.counts[numbers]).astype(np.int64)
        is_replaced = self.can_change[numbers] & (random.random(len(places)) < self.probability)
        return np.where(is_replaced, self.by_tag[self.first[numbers] + drawn], places)
