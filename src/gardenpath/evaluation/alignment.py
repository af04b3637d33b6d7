"""Which word of the system stands for which word of gold, as in the CoNLL 2018 shared task.

Both sides must have the same characters, spaces aside. Words that are tokens of their own are aligned when their spans are equal. Multiword tokens
that overlap make up one stretch of text; the words of both sides in it are aligned by a longest common subsequence of their lower-cased forms.

Where a token reaches over the edge of a stretch, the official scorer may take in words beyond it; we do the same, so that the scores stay equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gardenpath.errors import InputError
from gardenpath.evaluation.layout import ROOT, Integers, Layout

UNALIGNED = -2
GOLD, SYSTEM = 0, 1
SHOWN = 20

Pairs = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Alignment:
    """Two layouts and the positions of their aligned words: word `gold_index[k]` of gold is word `system_index[k]` of the system."""

    gold: Layout
    system: Layout
    gold_index: Integers
    system_index: Integers
    same_tokens: bool

    def to_gold(self) -> Integers:
        """For each word of the system its gold word or UNALIGNED; the last entry, which index -1 reaches, sends ROOT to ROOT."""
        table = np.full(len(self.system.words) + 1, UNALIGNED, np.int64)
        table[self.system_index] = self.gold_index
        table[-1] = ROOT
        return table

    def to_system(self) -> Integers:
        """For each word of gold its system word or UNALIGNED."""
        table = np.full(len(self.gold.words), UNALIGNED, np.int64)
        table[self.gold_index] = self.system_index
        return table


class _Place(NamedTuple):
    """Where a word of either side stands in the text; `word` is its position on its side."""

    start: int
    side: int
    word: int
    end: int
    multiword: bool


def align(gold: Layout, system: Layout) -> Alignment:
    """Align the words of two layouts of the same text; differing text is an `InputError`."""
    if gold.characters != system.characters:
        raise _text_differs(gold, system)
    if gold.spans == system.spans and gold.multiword == system.multiword and gold.forms == system.forms:
        every = np.arange(len(gold.words))
        return Alignment(gold, system, every, every, same_tokens=True)
    pairs = np.array(_pairs(gold, system), np.int64).reshape(-1, 2)
    return Alignment(gold, system, pairs[:, 0], pairs[:, 1], same_tokens=False)


def _pairs(gold: Layout, system: Layout) -> Pairs:
    """The aligned positions, in the order of the text."""
    stretches, outside = _divide(_in_order(gold, system))
    spans = {system.spans[place.word]: place.word for place in outside if place.side == SYSTEM}
    pairs = [(place.word, spans[span]) for place in outside if place.side == GOLD and (span := gold.spans[place.word]) in spans]
    for stretch in stretches:
        left, right = ([place.word for place in stretch if place.side == side] for side in (GOLD, SYSTEM))
        common = common_subsequence([gold.forms[word].lower() for word in left], [system.forms[word].lower() for word in right])
        pairs.extend((left[i], right[j]) for i, j in common)
    return sorted(pairs)


def _in_order(gold: Layout, system: Layout) -> list[_Place]:
    """The words of both sides by their starts; of two with the same start that of gold comes first."""
    sides = ((GOLD, gold), (SYSTEM, system))
    return sorted(_Place(start, side, i, end, layout.multiword[i]) for side, layout in sides for i, (start, end) in enumerate(layout.spans))


def _divide(places: list[_Place]) -> tuple[list[list[_Place]], list[_Place]]:
    """The words of each stretch, and the words outside.

    A stretch is opened as soon as the next word of one side is in a multiword token. If the word before it overlaps several of the other side, some
    of these may be still to come: the official scorer leaves the first of them outside and takes the others in.
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
    """For each place the next word of gold from there on if it is in a multiword token, else that of the system if it is in one."""
    following: list[_Place | None] = [None, None]
    openers = []
    for place in reversed(places):
        following[place.side] = place
        openers.append(next((word for word in following if word and word.multiword), None))
    return openers[::-1]


def _stop(places: list[_Place], at: int, end: int) -> int:
    """Where the stretch from `at` stops that covers the text up to `end` and every multiword token that overlaps it.

    It stops after the last word that ends within it. A word in front of that one is taken in even if it reaches over the end.
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
    """A longest common subsequence as pairs of positions.

    Of several, it is the one found from the front by pairing what is equal, and else passing over an item of `left` rather than of `right`.
    """
    lengths = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in reversed(range(len(left))):
        for j in reversed(range(len(right))):
            lengths[i][j] = lengths[i + 1][j + 1] + 1 if left[i] == right[j] else max(lengths[i + 1][j], lengths[i][j + 1])
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


def _text_differs(gold: Layout, system: Layout) -> InputError:
    common = min(len(gold.characters), len(system.characters))
    at = next((i for i in range(common) if gold.characters[i] != system.characters[i]), common)
    return InputError(
        f"the texts differ: {_reading(gold, at)}, but {_reading(system, at)}; both files must hold the same text, only spaces and the division into "
        "tokens and sentences may differ"
    )


def _reading(layout: Layout, at: int) -> str:
    if at >= len(layout.characters):
        return f"the {layout.side} text ends with {layout.place(len(layout.sentences) - 1)}"
    sentence = next(i for i, (_, end) in enumerate(layout.sentence_spans) if at < end)
    start, end = next(span for span in layout.tokens if at < span[1])
    return f"{layout.place(sentence)}: {layout.side} has {layout.characters[at : at + SHOWN]!r} in token {layout.characters[start:end]!r}"
