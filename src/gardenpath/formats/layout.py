"""Where the words and arcs of a picture go, in pixels.

Words stand in a row, wide enough apart for what is written below them and for the labels above. Arcs lie in levels: each above all arcs that it spans
or crosses. Every arc has a place of its own at the words it joins, so that arcs meet only where the tree is not projective.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
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
    """An arc from `head` to `dependent`, across the picture, at a level from 1 up; of a root only `dependent` counts."""

    arc: Arc
    head: int
    dependent: int
    level: int


@dataclass(frozen=True, slots=True)
class Layout:
    """A sentence laid out: the middles of its words, its arcs and roots, and the width that this takes."""

    words: list[int]
    arcs: list[DrawnArc]
    roots: list[DrawnArc]
    width: int
    right_to_left: bool

    @property
    def levels(self) -> int:
        """The highest level of an arc or root; 0 if there are none."""
        return max((drawn.level for drawn in (*self.arcs, *self.roots)), default=0)


def lay_out(
    sentence: Sentence, drawn: Sequence[Arc], widths: Sequence[int], spans: Iterable[tuple[int, int, int]], label_size: int, gap: int,
) -> Layout:
    """Lay out arcs above words of these widths, `gap` apart at least; `spans` (first word, last word, width) are what else needs room below several words."""
    joined, roots = [arc for arc in drawn if arc.head], [arc for arc in drawn if not arc.head]
    levels = _levels([*joined, *roots], len(sentence))
    places = _places(levels)
    needs = _word_widths(widths, places, roots, label_size)
    distances = [(i, i + 1, (needs[i - 1] + needs[i]) // 2 + gap) for i in range(1, len(needs))]
    distances += [(first, last, width - (needs[first - 1] + needs[last - 1]) // 2) for first, last, width in spans if first < last]
    distances += [_room_for_label(arc, places, label_size) for arc in joined]
    words = _middles(needs, distances)
    width = words[-1] + ceil(needs[-1] / 2) + MARGIN if words else 2 * MARGIN
    right_to_left = is_right_to_left(sentence)
    if right_to_left:
        words = [width - middle for middle in words]
    placed = _placed(levels, places, words, -1 if right_to_left else 1)
    return Layout(words, placed[: len(joined)], placed[len(joined) :], width, right_to_left)


def text_width(text: str, size: int) -> int:
    """About how wide a text is in a sans-serif font of this size; rather too wide than too narrow."""
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
    """The lowest levels at which every arc lies above all that are shorter and have a gap between words in common with it; roots above both their gaps."""
    levels = {}
    tops = [0] * (size + 1)  # the highest arc so far over the gap after each word
    for arc in sorted(joined, key=lambda arc: (arc.head == 0, arc.last - arc.first, arc.first)):
        gaps = slice(arc.last - 1, arc.last + 1) if arc.head == 0 else slice(arc.first, arc.last)
        levels[arc] = 1 + max(tops[gaps])
        if arc.head:
            tops[gaps] = [levels[arc]] * (arc.last - arc.first)
    return {arc: levels[arc] for arc in joined}


def _places(levels: dict[Arc, int]) -> dict[tuple[Arc, int], int]:
    """How far from the middle of a word each of its arcs stands: those to the left on the left, low ones outside, the root in between."""
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


def _word_widths(widths: Sequence[int], places: dict[tuple[Arc, int], int], roots: list[Arc], label_size: int) -> list[int]:
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
    """The leftmost middles of the words at which all distances (word, later word, pixels at least) are kept."""
    middles = [MARGIN + ceil(need / 2) for need in needs]
    for first, last, pixels in sorted(distances, key=lambda distance: distance[1]):
        middles[last - 1] = max(middles[last - 1], middles[first - 1] + pixels)
    return middles


def _placed(levels: dict[Arc, int], places: dict[tuple[Arc, int], int], words: list[int], direction: int) -> list[DrawnArc]:
    def across(arc: Arc, word: int) -> int:
        return words[word - 1] + direction * places[arc, word]

    return [DrawnArc(arc, across(arc, arc.head or arc.dependent), across(arc, arc.dependent), level) for arc, level in levels.items()]
