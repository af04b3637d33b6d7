"""How far a tree is from projective: gap degree, edge degree, well-nestedness, 1-endpoint-crossing; and how deep it is.

The definitions are those of Kuhlmann and Nivre (COLING/ACL 2006), and of Pitler, Kannan and Marcus (TACL 2013) for 1-endpoint-crossing trees. The yield of a
word is the word and all that it dominates. The root 0 stands nowhere in the sentence and dominates all words, as in `gardenpath.trees`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gardenpath.trees import children_of, nonprojective_arcs, preorder

Arc = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Shape:
    """What `shape_of` found of a tree."""

    depth: int
    nonprojective: list[Arc]
    gap_degree: int = 0
    edge_degree: int = 0
    is_well_nested: bool = True
    is_one_endpoint_crossing: bool = True


def shape_of(heads: Sequence[int]) -> Shape:
    """The shape of a tree. What is zero or true of every projective tree is not looked for in one."""
    nonprojective = nonprojective_arcs(heads)
    tree = Tree(heads)
    if not nonprojective:
        return Shape(tree.depth, nonprojective)
    gaps = tree.gap_degrees()
    edge_degree = max(tree.edge_degree(arc) for arc in nonprojective)
    return Shape(tree.depth, nonprojective, max(gaps), edge_degree, tree.is_well_nested(gaps), tree.is_one_endpoint_crossing())


class Tree:
    """A tree that can be asked in a moment whether one word dominates another."""

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
        """The most arcs between the root and a word."""
        depths = [0] * len(self.heads)
        for word in self.visited[1:]:
            depths[word] = depths[self.heads[word]] + 1
        return max(depths)

    def dominates(self, above: int, below: int) -> bool:
        """Is the one the other, or does it lead there?"""
        return self.order[above] <= self.order[below] < self.order[above] + self.size[above]

    def gap_degrees(self) -> list[int]:
        """By word: how often its yield is interrupted. Nearly linear in the words.

        A yield of k words would have k - 1 pairs of neighbours if there were no gap. A pair of neighbours is in a yield if the lowest word above both is.
        """
        pairs = self._pairs_within()
        for word in reversed(self.visited[1:]):
            pairs[self.heads[word]] += pairs[word]
        return [0, *(self.size[word] - 1 - pairs[word] for word in range(1, len(self.heads)))]

    def _pairs_within(self) -> list[int]:
        """By word: of how many pairs of neighbours it is the lowest word above both (Tarjan's algorithm, with the words from the bottom up)."""
        pairs = [0] * len(self.heads)
        above = list(range(len(self.heads)))            # a word that is done leads upwards, in the end to the lowest that is not
        for word in reversed(self.visited[1:]):
            for neighbour in (word - 1, word + 1):
                if 0 < neighbour < len(above) and above[neighbour] != neighbour:
                    pairs[_top(above, neighbour)] += 1
            above[word] = self.heads[word]
        return pairs

    def edge_degree(self, arc: Arc) -> int:
        """How many parts of the tree lie under an arc, by their topmost words, that its head does not dominate."""
        head, first, last = arc[0], min(arc), max(arc)
        return sum(not first <= self.heads[word] <= last and not self.dominates(head, word) for word in range(first + 1, last))

    def is_well_nested(self, gaps: Sequence[int]) -> bool:
        """Do no two yields interleave, of which neither holds the other? If any do, so do the yields of two siblings, and these have gaps."""
        torn = [[child for child in below if gaps[child]] for below in self.children]
        return not any(_interleave([self._blocks(child) for child in siblings]) for siblings in torn if len(siblings) > 1)

    def _blocks(self, word: int) -> list[int]:
        """The first words of the unbroken parts of a yield."""
        covered = sorted(self.visited[self.order[word]:self.order[word] + self.size[word]])
        return [right for left, right in zip([-1, *covered], covered, strict=False) if right > left + 1 or left < 0]

    def is_one_endpoint_crossing(self) -> bool:
        """Do all arcs that cross an arc share an end, for every arc? Arcs from the root are no part of this."""
        for word, head in enumerate(self.heads):
            shared: set[int] | None = None
            for crossing in self._crossing(min(word, head), max(word, head)) if head else ():
                shared = set(crossing) if shared is None else shared.intersection(crossing)
                if not shared:
                    return False
        return True

    def _crossing(self, first: int, last: int) -> Iterator[Arc]:
        """The arcs that lead from between two words to beyond them."""
        for word in range(first + 1, last):
            for other in (self.heads[word], *self.children[word]):
                if other and not first <= other <= last:
                    yield word, other


def _top(above: list[int], word: int) -> int:
    """Where a word leads to in the end; what is passed leads there faster the next time."""
    while above[word] != word:
        above[word] = above[above[word]]
        word = above[word]
    return word


def _interleave(yields: Sequence[Sequence[int]]) -> bool:
    """Do parts of one come between and beyond parts of another? A yield that comes again must be the last one that is not complete."""
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
