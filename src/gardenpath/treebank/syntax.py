"""A sentence as the rules about trees see it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from gardenpath.evaluation.inventory import base
from gardenpath.formats.conllu import items_of
from gardenpath.formats.document import Sentence, Word
from gardenpath.treebank.shape import DominanceTree, Integers
from gardenpath.trees import children_of, nonprojective_arcs


class Crossed(NamedTuple):
    """The non-projective arcs: dependents, both ends from left to right, and the places of what the heads dominate."""

    words: Integers
    first: Integers
    last: Integers
    begin: Integers
    end: Integers


class SyntaxTree:
    """A sentence with a tree: dependents, and labels without subtypes. Node 0 is the root."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self.words = sentence.words
        self.heads = [head for head in sentence.heads if head is not None]
        self.labels = ["", *(base(word.deprel) for word in sentence.words)]
        self._children = children_of(self.heads)

    def word(self, number: int) -> Word:
        """Return a word by its number."""
        return self.words[number - 1]

    def children(self, number: int, *labels: str) -> list[int]:
        """Return the dependents of a node, or those with one of these labels."""
        every = self._children[number]
        return [child for child in every if self.labels[child] in labels] if labels else every

    def label_of_head(self, number: int) -> str:
        """Return the label of the head of a word, without its subtype; an empty string for the root."""
        return self.labels[self.heads[number - 1]]

    @cached_property
    def nonprojective(self) -> frozenset[int]:
        """The words with a non-projective arc."""
        return frozenset(word for _, word in nonprojective_arcs(self.heads))

    @cached_property
    def crossed(self) -> Crossed:
        """The non-projective arcs as arrays, since long sentences can have many."""
        words = np.array(sorted(self.nonprojective), np.int64)
        above = np.array(self.heads, np.int64)[words - 1]
        begin = self.dominance.places[above]
        end = begin + np.array(self.dominance.size, np.int64)[above]
        return Crossed(words, np.minimum(words, above), np.maximum(words, above), begin, end)

    @cached_property
    def predicates(self) -> frozenset[int]:
        """The heads of copulas and subjects."""
        arcs = zip(self.heads, self.labels[1:], strict=True)
        return frozenset(head for head, label in arcs if label in ("cop", "nsubj", "csubj"))

    @cached_property
    def dominance(self) -> DominanceTree:
        """The tree with constant-time dominance tests."""
        return DominanceTree(self.heads)


@lru_cache(maxsize=10_000)
def features(feats: str) -> Mapping[str, str | None]:
    """Return FEATS as a mapping."""
    return items_of(feats)
