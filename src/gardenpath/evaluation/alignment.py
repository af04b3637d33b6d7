"""Alignment of system words and gold words, as in the CoNLL 2018 shared task.

Both sides must have the same characters except for spaces. Words outside multi-word tokens are aligned if their spans
are equal. Overlapping multi-word tokens form a stretch of text, in which the words of both sides are aligned by a
longest common subsequence of their lower-cased forms.

If a token crosses the edge of a stretch, the official scorer may include words beyond the stretch. This module does the
same, so that the scores are identical.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gardenpath.errors import InputError
from gardenpath.evaluation.layout import ROOT, Integers, TextLayout

UNALIGNED = -2
GOLD, SYSTEM = 0, 1
SHOWN = 20
FEW_CELLS = 400          # pairs of words of a stretch; for more, the search uses numpy
MOST_CELLS = 10_000_000  # maximum number of pairs: a multi-word token has a handful of words

Pairs = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Alignment:
    """Two layouts and the positions of their aligned words.

    The gold word `gold_index[k]` is aligned with the system word `system_index[k]`.
    """

    gold: TextLayout
    system: TextLayout
    gold_index: Integers
    system_index: Integers
    same_tokens: bool

    def to_gold(self) -> Integers:
        """Return the gold word of each system word, or UNALIGNED. The last entry maps ROOT (-1) to ROOT."""
        table = np.full(len(self.system.words) + 1, UNALIGNED, np.int64)
        table[self.system_index] = self.gold_index
        table[-1] = ROOT
        return table

    def to_system(self) -> Integers:
        """Return the system word of each gold word, or UNALIGNED."""
        table = np.full(len(self.gold.words), UNALIGNED, np.int64)
        table[self.gold_index] = self.system_index
        return table


class _Place(NamedTuple):
    """The place of a gold or system word in the text. `word` is its position on its side."""

    start: int
    side: int
    word: int
    end: int
    multiword: bool


def align(gold: TextLayout, system: TextLayout) -> Alignment:
    """Align the words of two layouts. An `InputError` is raised if their texts differ."""
    if gold.characters != system.characters:
        raise _text_differs(gold, system)
    if gold.spans == system.spans and gold.multiword == system.multiword and gold.forms == system.forms:
        every = np.arange(len(gold.words))
        return Alignment(gold, system, every, every, same_tokens=True)
    pairs = np.array(_pairs(gold, system), np.int64).reshape(-1, 2)
    return Alignment(gold, system, pairs[:, 0], pairs[:, 1], same_tokens=False)


def _pairs(gold: TextLayout, system: TextLayout) -> Pairs:
    """Return the pairs of aligned positions, in the order of the text."""
    stretches, outside = _divide(_in_order(gold, system))
    spans = {system.spans[place.word]: place.word for place in outside if place.side == SYSTEM}
    gold_words = [place.word for place in outside if place.side == GOLD]
    pairs = [(word, spans[gold.spans[word]]) for word in gold_words if gold.spans[word] in spans]
    for stretch in stretches:
        left, right = ([place.word for place in stretch if place.side == side] for side in (GOLD, SYSTEM))
        if len(left) * len(right) > MOST_CELLS:
            raise _too_long(gold, system, left, right)
        forms = [gold.forms[word].lower() for word in left], [system.forms[word].lower() for word in right]
        search = common_subsequence if len(left) * len(right) <= FEW_CELLS else long_common_subsequence
        pairs.extend((left[i], right[j]) for i, j in search(*forms))
    return sorted(pairs)


def _in_order(gold: TextLayout, system: TextLayout) -> list[_Place]:
    """Return the words of both sides ordered by start. Gold comes first if the starts are equal."""
    sides = ((GOLD, gold), (SYSTEM, system))
    return sorted(
        _Place(start, side, i, end, layout.multiword[i])
        for side, layout in sides for i, (start, end) in enumerate(layout.spans)
    )


def _divide(places: list[_Place]) -> tuple[list[list[_Place]], list[_Place]]:
    """Return the words of each stretch, and the words outside all stretches.

    A stretch starts as soon as the next word of one side is in a multi-word token. If the word before it overlaps
    several words of the other side, some of these may come later. The official scorer leaves the first of them outside
    the stretch and includes the others.
    """
    stretches: list[list[_Place]] = []
    outside: list[_Place] = []
    openers = _openers(places)
    at = 0
    while at < len(places):
        first, opener = places[at], openers[at]
        if opener is None or (not first.multiword and first.start < opener.start):
            outside.append(first)
            at += 1
        if opener is not None:
            stop = _stop(places, at, opener.end)
            stretches.append(places[at:stop])
            at = stop
    return stretches, outside


def _openers(places: list[_Place]) -> list[_Place | None]:
    """Return the word that opens a stretch at each place, or None.

    It is the next gold word if that is in a multi-word token, otherwise the next system word if that is in one.
    """
    following: list[_Place | None] = [None, None]
    openers = []
    for place in reversed(places):
        following[place.side] = place
        openers.append(next((word for word in following if word and word.multiword), None))
    return openers[::-1]


def _stop(places: list[_Place], at: int, end: int) -> int:
    """Return the end of the stretch that starts at `at`.

    The stretch covers the text up to `end` and every multi-word token that overlaps it. It stops after the last word
    that ends within it. An earlier word is included even if it goes beyond the end.
    """
    stop = at
    for i in range(at, len(places)):
        place = places[i]
        if place.start >= end:
            break
        if place.multiword:
            end = max(end, place.end)
        if place.end <= end:
            stop = i + 1
    return stop


def common_subsequence(left: list[str], right: list[str]) -> Pairs:
    """Return a longest common subsequence as pairs of positions.

    If there are several, the search from the front decides: it pairs equal items, and otherwise prefers to skip an item
    of `left` rather than of `right`.
    """
    lengths = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in reversed(range(len(left))):
        for j in reversed(range(len(right))):
            if left[i] == right[j]:
                lengths[i][j] = lengths[i + 1][j + 1] + 1
            else:
                lengths[i][j] = max(lengths[i + 1][j], lengths[i][j + 1])
    pairs = []
    i = j = 0
    while lengths[i][j]:
        if left[i] == right[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif lengths[i + 1][j] >= lengths[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def long_common_subsequence(left: list[str], right: list[str]) -> Pairs:
    """Return the same as `common_subsequence`, in a hundredth of the time and memory for long lists.

    Only one row of lengths is kept. Of each pair of positions, a bit remembers which item the search may skip.
    """
    codes: dict[str, int] = {}
    one, other = (np.array([codes.setdefault(item, len(codes)) for item in items], np.int64) for items in (left, right))
    lengths = np.zeros(len(right) + 1, np.int64)             # of the row below, then of the row itself
    skips = np.zeros((len(left), (len(right) + 7) // 8), np.uint8)
    for i in reversed(range(len(left))):
        best = lengths.copy()
        best[:-1] = np.maximum(lengths[:-1], lengths[1:] + (other == one[i]))
        best = np.maximum.accumulate(best[::-1])[::-1]
        skips[i] = np.packbits(lengths[:-1] >= best[1:])
        lengths = best
    pairs: Pairs = []
    i = j = 0
    while len(pairs) < lengths[0]:
        if one[i] == other[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif skips[i, j // 8] >> (7 - j % 8) & 1:
            i += 1
        else:
            j += 1
    return pairs


def _too_long(gold: TextLayout, system: TextLayout, left: list[int], right: list[int]) -> InputError:
    layout, word = (gold, left[0]) if left else (system, right[0])
    words = f"{len(left):,} gold words and {len(right):,} system words"
    return InputError(
        f"{layout.place(layout.sentence_of(word))}: multi-word tokens that overlap have {words}, too many to align; "
        "check the ranges of multi-word tokens"
    )


def _text_differs(gold: TextLayout, system: TextLayout) -> InputError:
    common = min(len(gold.characters), len(system.characters))
    at = next((i for i in range(common) if gold.characters[i] != system.characters[i]), common)
    return InputError(
        f"the texts differ: {_reading(gold, at)}, but {_reading(system, at)}; both files must contain the same text "
        "and may differ only in spaces, tokenization and sentence splitting"
    )


def _reading(layout: TextLayout, at: int) -> str:
    if at >= len(layout.characters):
        return f"the {layout.side} text ends with {layout.place(len(layout.sentences) - 1)}"
    sentence = next(i for i, (_, end) in enumerate(layout.sentence_spans) if at < end)
    start, end = next(span for span in layout.tokens if at < span[1])
    text, token = layout.characters[at : at + SHOWN], layout.characters[start:end]
    return f"{layout.place(sentence)}: {layout.side} has {text!r} in token {token!r}"
