"""Which word of the system stands for which word of gold, as in the CoNLL 2018 shared task.

Both sides must have the same characters, spaces aside. Words that are tokens of their own are aligned when their spans are equal. Multiword tokens
that overlap make up one stretch of text; the words of both sides in it are aligned by a longest common subsequence of their lower-cased forms.

Where a token reaches over the edge of a stretch, the official scorer may take in words beyond it; we do the same, so that the scores stay equal.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gardenpath.errors import InputError
from gardenpath.evaluation.layout import ROOT, Integers, Layout

UNALIGNED = -2
BEYOND = (1 << 62, 1 << 62)
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


def align(gold: Layout, system: Layout) -> Alignment:
    """Align the words of two layouts of the same text; differing text is an `InputError`."""
    if gold.characters != system.characters:
        raise _text_differs(gold, system)
    if gold.spans == system.spans and gold.multiword == system.multiword and gold.forms == system.forms:
        every = np.arange(len(gold.words))
        return Alignment(gold, system, every, every, same_tokens=True)
    pairs = np.array(_Walk(gold, system).pairs(), np.int64).reshape(-1, 2)
    return Alignment(gold, system, pairs[:, 0], pairs[:, 1], same_tokens=False)


class _Walk:
    """A walk along both sides at once; word `at[0]` of gold and word `at[1]` of the system are next."""

    def __init__(self, gold: Layout, system: Layout) -> None:
        self.forms = (gold.forms, system.forms)
        self.spans = ([*gold.spans, BEYOND], [*system.spans, BEYOND])
        self.multiword = ([*gold.multiword, False], [*system.multiword, False])
        self.at = [0, 0]

    def pairs(self) -> Pairs:
        """The aligned positions, in the order of the text."""
        found: Pairs = []
        while BEYOND not in (self.span(0), self.span(1)):
            if self.is_multiword(0) or self.is_multiword(1):
                found.extend(self.through_stretch())
            elif self.span(0) == self.span(1):
                found.append((self.at[0], self.at[1]))
                self.at = [self.at[0] + 1, self.at[1] + 1]
            else:
                self.at[self.earlier()] += 1
        return found

    def span(self, side: int) -> tuple[int, int]:
        return self.spans[side][self.at[side]]

    def is_multiword(self, side: int) -> bool:
        return self.multiword[side][self.at[side]]

    def earlier(self) -> int:
        """The side whose next word starts first; gold if both start together."""
        return 0 if self.span(0)[0] <= self.span(1)[0] else 1

    def through_stretch(self) -> Pairs:
        """Go through a stretch of overlapping multiword tokens and align the words met on the way."""
        opener = 0 if self.is_multiword(0) else 1
        other = 1 - opener
        if not self.is_multiword(other) and self.span(other)[0] < self.span(opener)[0]:
            self.at[other] += 1  # it starts before the stretch, so it cannot lie inside
        first = list(self.at)
        end = self.span(opener)[1]
        while self.reaches(0, end) or self.reaches(1, end):
            side = self.earlier()
            if self.is_multiword(side):
                end = max(end, self.span(side)[1])
            self.at[side] += 1
        gold, system = ([form.lower() for form in self.forms[side][first[side] : self.at[side]]] for side in (0, 1))
        return [(first[0] + i, first[1] + j) for i, j in common_subsequence(gold, system)]

    def reaches(self, side: int, end: int) -> bool:
        """Whether the next word belongs to a stretch up to `end`: part of a multiword token that starts in it, or a token that ends in it."""
        span = self.span(side)
        return span[0] < end if self.is_multiword(side) else span[1] <= end


def common_subsequence(left: list[str], right: list[str]) -> Pairs:
    """A longest common subsequence as pairs of positions; where there are several, the one that leaves out words of `left` first."""
    if left == right:
        return [(i, i) for i in range(len(left))]
    longest = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in range(len(left) - 1, -1, -1):
        for j in range(len(right) - 1, -1, -1):
            longest[i][j] = longest[i + 1][j + 1] + 1 if left[i] == right[j] else max(longest[i + 1][j], longest[i][j + 1])
    pairs: Pairs = []
    i = j = 0
    while longest[i][j]:
        if left[i] == right[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif longest[i][j] == longest[i + 1][j]:
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
