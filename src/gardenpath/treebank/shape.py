"""Measures of non-projectivity: gap degree, edge degree, well-nestedness, 1-endpoint-crossing; and the depth of trees.

The definitions are those of Kuhlmann and Nivre (COLING/ACL 2006), and of Pitler, Kannan and Marcus (TACL 2013) for
1-endpoint-crossing trees. The yield of a word is the word and all words that it dominates. The root 0 has no position
in the sentence and dominates all words, as in `gardenpath.trees`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gardenpath.trees import children_of, nonprojective_arcs, preorder

Arc = tuple[int, int]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Shape:
    """The measures of a tree."""

    depth: int
    nonprojective: list[Arc]
    gap_degree: int = 0
    edge_degree: int = 0
    is_well_nested: bool = True
    is_one_endpoint_crossing: bool = True


def shape_of(heads: Sequence[int]) -> Shape:
    """Compute the measures of a tree. A projective tree has the defaults of `Shape`."""
    nonprojective = nonprojective_arcs(heads)
    tree = DominanceTree(heads)
    if not nonprojective:
        return Shape(tree.depth, nonprojective)
    gaps = tree.gap_degrees()
    edge_degree = max(tree.edge_degree(arc) for arc in nonprojective)
    return Shape(
        tree.depth, nonprojective, max(gaps), edge_degree, tree.is_well_nested(gaps), tree.is_one_endpoint_crossing()
    )


class DominanceTree:
    """A tree with constant-time dominance tests."""

    def __init__(self, heads: Sequence[int]) -> None:
        self.heads = [0, *heads]
        self.children = children_of(heads)
        self.visited = preorder(heads)
        self.order = [0] * len(self.heads)
        self.size = [1] * len(self.heads)
        for place, word in enumerate(self.visited):
            self.order[word] = place
        for word in reversed(self.visited[1:]):
            self.size[self.heads[word]] += self.size[word]

    @property
    def depth(self) -> int:
        """The largest number of arcs between the root and a word."""
        depths = [0] * len(self.heads)
        for word in self.visited[1:]:
            depths[word] = depths[self.heads[word]] + 1
        return max(depths)

    @cached_property
    def places(self) -> Integers:
        """The places of the nodes in preorder, as an array: `order`."""
        return np.array(self.order, np.int64)

    @cached_property
    def _head_array(self) -> Integers:
        return np.array(self.heads, np.int64)

    def outside(self, head: int, first: int, end: int) -> NDArray[np.bool_]:
        """Return for each word from `first` to `end`, without `end`, whether the head does not dominate it."""
        places, begin = self.places[first:end], self.order[head]
        return (places < begin) | (places >= begin + self.size[head])

    def dominates(self, above: int, below: int) -> bool:
        """Return whether `above` is `below` or dominates it."""
        return self.order[above] <= self.order[below] < self.order[above] + self.size[above]

    def gap_degrees(self) -> list[int]:
        """Return, by word, the number of gaps in its yield. Nearly linear in the number of words.

        A yield of k words without gaps has k - 1 pairs of neighbours. A pair of neighbours is in a yield if their
        lowest common ancestor is.
        """
        pairs = self._pairs_within()
        for word in reversed(self.visited[1:]):
            pairs[self.heads[word]] += pairs[word]
        return [0, *(self.size[word] - 1 - pairs[word] for word in range(1, len(self.heads)))]

    def _pairs_within(self) -> list[int]:
        """Return, by word, how many pairs of neighbours have it as lowest common ancestor (Tarjan's algorithm)."""
        pairs = [0] * len(self.heads)
        above = list(range(len(self.heads)))            # union-find: a finished word points to its head
        for word in reversed(self.visited[1:]):
            for neighbour in (word - 1, word + 1):
                if 0 < neighbour < len(above) and above[neighbour] != neighbour:
                    pairs[_top(above, neighbour)] += 1
            above[word] = self.heads[word]
        return pairs

    def edge_degree(self, arc: Arc) -> int:
        """Return the number of subtrees under an arc, by their topmost words, that its head does not dominate."""
        head, first, last = arc[0], min(arc), max(arc)
        heads = self._head_array[first + 1 : last]
        return int((((heads < first) | (heads > last)) & self.outside(head, first + 1, last)).sum())

    def is_well_nested(self, gaps: Sequence[int]) -> bool:
        """Return whether no two disjoint yields interleave.

        If any two do, so do the yields of two siblings, and both have gaps.
        """
        with_gaps = [[word for word in siblings if gaps[word]] for siblings in self.children]
        return not any(
            _interleave([self._blocks(word) for word in siblings]) for siblings in with_gaps if len(siblings) > 1
        )

    def _blocks(self, word: int) -> list[int]:
        """Return the first words of the contiguous blocks of a yield."""
        covered = sorted(self.visited[self.order[word]:self.order[word] + self.size[word]])
        return [right for left, right in zip([-1, *covered], covered, strict=False) if right > left + 1 or left < 0]

    def is_one_endpoint_crossing(self) -> bool:
        """Return whether, for every arc, all arcs that cross it share an endpoint. Arcs from the root do not count."""
        for word, head in enumerate(self.heads):
            shared: set[int] | None = None
            for crossing in self._crossing(min(word, head), max(word, head)) if head else ():
                shared = set(crossing) if shared is None else shared.intersection(crossing)
                if not shared:
                    return False
        return True

    def _crossing(self, first: int, last: int) -> Iterator[Arc]:
        """Yield the arcs from a word between two words to a word outside them."""
        for word in range(first + 1, last):
            for other in (self.heads[word], *self.children[word]):
                if other and not first <= other <= last:
                    yield word, other


def _top(above: list[int], word: int) -> int:
    """Return the representative of a word (union-find with path halving)."""
    while above[word] != word:
        above[word] = above[above[word]]
        word = above[word]
    return word


def _interleave(yields: Sequence[Sequence[int]]) -> bool:
    """Return whether parts of one yield lie both between and outside parts of another.

    When a yield occurs again, it must be the last one that is not complete.
    """
    parts = sorted((first, i) for i, blocks in enumerate(yields) for first in blocks)
    missing = [len(blocks) for blocks in yields]
    begun: list[int] = []
    for _, i in parts:
        while begun and not missing[begun[-1]]:
            begun.pop()
        if missing[i] < len(yields[i]) and begun[-1] != i:
            return True
        if missing[i] == len(yields[i]):
            begun.append(i)
        missing[i] -= 1
    return False
