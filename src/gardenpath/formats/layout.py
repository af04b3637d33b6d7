"""Positions of words and arcs in a tree drawing, in pixels.

Words are placed in a row, with enough space for the text below them and the labels above them. Each arc has a level
above all shorter arcs that it spans or crosses. Arcs attach to a word at different points, so lines cross only if the
tree is not projective.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil

from gardenpath.formats.document import Sentence
from gardenpath.formats.drawing import Arc, is_right_to_left

MARGIN = 16
PLACE = 8
LABEL_PADDING = 14


@dataclass(frozen=True, slots=True)
class DrawnArc:
    """An arc with the x coordinates of its ends and its level, from 1. For a root only `dependent` is used."""

    arc: Arc
    head: int
    dependent: int
    level: int


@dataclass(frozen=True, slots=True)
class TreeLayout:
    """The layout of a tree: x coordinates of the word centres, arcs, roots, and the total width."""

    words: list[int]
    arcs: list[DrawnArc]
    roots: list[DrawnArc]
    width: int
    right_to_left: bool

    @property
    def levels(self) -> int:
        """The highest level of an arc or root, or 0 if there are none."""
        return max((drawn.level for drawn in (*self.arcs, *self.roots)), default=0)


def lay_out(
    sentence: Sentence, drawn: Sequence[Arc], widths: Sequence[int], spans: Iterable[tuple[int, int, int]],
    label_size: int, gap: int,
) -> TreeLayout:
    """Lay out arcs above words of the given widths, with at least `gap` between words.

    `spans` are texts below several words, as (first word, last word, width).
    """
    joined, roots = [arc for arc in drawn if arc.head], [arc for arc in drawn if not arc.head]
    levels = _levels([*joined, *roots], len(sentence))
    places = _places(levels)
    needs = _word_widths(widths, places, roots, label_size)
    distances = [(i, i + 1, (needs[i - 1] + needs[i]) // 2 + gap) for i in range(1, len(needs))]
    distances += [
        (first, last, width - (needs[first - 1] + needs[last - 1]) // 2) for first, last, width in spans if first < last
    ]
    distances += [_room_for_label(arc, places, label_size) for arc in joined]
    words = _middles(needs, distances)
    width = words[-1] + ceil(needs[-1] / 2) + MARGIN if words else 2 * MARGIN
    right_to_left = is_right_to_left(sentence)
    if right_to_left:
        words = [width - middle for middle in words]
    placed = _placed(levels, places, words, -1 if right_to_left else 1)
    return TreeLayout(words, placed[: len(joined)], placed[len(joined) :], width, right_to_left)


def text_width(text: str, size: int) -> int:
    """Estimate the width of a text in a sans-serif font. The estimate is rather too wide than too narrow."""
    return ceil(size * sum(map(_character_width, text)))


@cache
def _character_width(character: str) -> float:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    if unicodedata.east_asian_width(character) in ("W", "F"):
        return 1
    if character in "fijlrtI.,;:!|'()[]/- ":
        return 0.4
    if character in "mwMW@%—…":
        return 1
    return 0.76 if character.isupper() else 0.63


def _levels(joined: list[Arc], size: int) -> dict[Arc, int]:
    """Return the lowest possible level of each arc.

    An arc is above all shorter arcs that share a gap between words with it. A root is above all arcs over the gaps on
    both sides of its word.
    """
    levels = {}
    tops = _Tops(size + 1)   # the highest level so far over the gap after each word
    for arc in sorted(joined, key=lambda arc: (arc.head == 0, arc.last - arc.first, arc.first)):
        gaps = (arc.last - 1, arc.last + 1) if arc.head == 0 else (arc.first, arc.last)
        levels[arc] = 1 + tops.highest(*gaps)
        if arc.head:
            tops.raise_to(*gaps, levels[arc])
    return {arc: levels[arc] for arc in joined}


class _Tops:
    """Numbers from 0 on, by position. A segment tree: each call takes logarithmic time.

    Node 1 covers all positions, and the nodes 2i and 2i + 1 the halves of node i. `whole` is a lower bound for all
    positions of a node, and `inside` the largest number below it.
    """

    def __init__(self, size: int) -> None:
        self.size = 1 << max(size - 1, 0).bit_length()
        self.whole = [0] * (2 * self.size)
        self.inside = [0] * (2 * self.size)

    def highest(self, first: int, end: int) -> int:
        """Return the largest number at the positions from `first` to `end`, without `end`."""
        nodes = list(self._nodes(first, end))
        return max(*(self.inside[node] for node in nodes), *(self.whole[node] for node in self._above(nodes)))

    def raise_to(self, first: int, end: int, value: int) -> None:
        """Raise the numbers at these positions to a value that is larger than all of them."""
        nodes = list(self._nodes(first, end))
        for node in nodes:
            self.whole[node] = self.inside[node] = value
        for node in self._above(nodes):
            self.inside[node] = max(self.inside[node], value)

    def _nodes(self, first: int, end: int) -> Iterator[int]:
        """Yield the fewest nodes that cover the positions."""
        left, right = first + self.size, end + self.size
        while left < right:
            if left & 1:
                yield left
                left += 1
            if right & 1:
                right -= 1
                yield right
            left, right = left >> 1, right >> 1

    def _above(self, nodes: list[int]) -> set[int]:
        """Return these nodes and all nodes above them."""
        found: set[int] = set()
        for node in nodes:
            while node and node not in found:
                found.add(node)
                node >>= 1
        return found


def _places(levels: dict[Arc, int]) -> dict[tuple[Arc, int], int]:
    """Return the offset of each arc from the centre of each of its words.

    Arcs to the left attach on the left, arcs to the right on the right, and the root in between. Low arcs are outside.
    """
    ends: dict[int, list[tuple[int, int, Arc]]] = defaultdict(list)
    for arc, level in levels.items():
        if arc.head == 0:
            ends[arc.dependent].append((1, 0, arc))
        else:
            ends[arc.last].append((0, level, arc))
            ends[arc.first].append((2, -level, arc))
    return {
        (arc, word): PLACE * i - PLACE * (len(at_word) - 1) // 2
        for word, at_word in ends.items() for i, (_, _, arc) in enumerate(sorted(at_word))
    }


def _word_widths(
    widths: Sequence[int], places: dict[tuple[Arc, int], int], roots: list[Arc], label_size: int,
) -> list[int]:
    needs = list(widths)
    for (_, word), place in places.items():
        needs[word - 1] = max(needs[word - 1], 2 * abs(place) + PLACE)
    for arc in roots:
        needs[arc.dependent - 1] = max(needs[arc.dependent - 1], text_width(arc.label, label_size))
    return needs


def _room_for_label(arc: Arc, places: dict[tuple[Arc, int], int], label_size: int) -> tuple[int, int, int]:
    width = text_width(arc.label, label_size) + LABEL_PADDING
    return arc.first, arc.last, width + places[arc, arc.first] - places[arc, arc.last]


def _middles(needs: list[int], distances: list[tuple[int, int, int]]) -> list[int]:
    """Return the leftmost word centres that keep all minimum distances (word, later word, pixels)."""
    middles = [MARGIN + ceil(need / 2) for need in needs]
    for first, last, pixels in sorted(distances, key=lambda distance: distance[1]):
        middles[last - 1] = max(middles[last - 1], middles[first - 1] + pixels)
    return middles


def _placed(
    levels: dict[Arc, int], places: dict[tuple[Arc, int], int], words: list[int], direction: int,
) -> list[DrawnArc]:
    def across(arc: Arc, word: int) -> int:
        return words[word - 1] + direction * places[arc, word]

    return [
        DrawnArc(arc, across(arc, arc.head or arc.dependent), across(arc, arc.dependent), level)
        for arc, level in levels.items()
    ]
