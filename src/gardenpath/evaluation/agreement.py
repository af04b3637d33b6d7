"""Words and sentences on which two systems differ.

A word is correct if its head and label are correct, or with `heads` if its head is correct. With several runs per
system, the counts are means over all pairs of a run of the first system and a run of the second.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gardenpath.evaluation.layout import ROOT, Integers, TextLayout
from gardenpath.evaluation.result import Evaluation, Side


@dataclass(frozen=True, slots=True)
class Agreement:
    """Counts of words that both systems, only one of them or neither predicts correctly.

    `first_better` and `second_better` count the sentences in which that system has more correct words.
    """

    both: float
    only_first: float
    only_second: float
    neither: float
    first_better: int
    second_better: int
    equal: int


@dataclass(frozen=True, slots=True)
class WordArc:
    """The arc to a word: the number and form of its head (0 and `ROOT` for the root), and its label."""

    head: int
    form: str
    label: str

    def __str__(self) -> str:
        return f"{self.label} of {self.head} {self.form}" if self.head else self.label


@dataclass(frozen=True, slots=True)
class WordContrast:
    """A word that one system predicts correctly more often than the other.

    It has the gold arc and the arc in each run of both systems, None in a run without an aligned word.
    """

    id: int
    form: str
    gold: WordArc
    first: list[WordArc | None]
    second: list[WordArc | None]


@dataclass(frozen=True, slots=True)
class SentenceContrast:
    """A sentence with the number of correct words of each system (mean over its runs) and the words that differ."""

    number: int
    sent_id: str | None
    place: str
    text: str
    words: int
    first: float
    second: float
    differing: list[WordContrast]


def agreement(first: Side, second: Side, *, heads: bool = False) -> Agreement:
    """Count the words that both systems, one of them or neither predicts correctly."""
    chosen = first[0].arcs.chosen
    one, other = _correct_runs(first, heads), _correct_runs(second, heads)
    pairs = len(first) * len(second)
    wrong_one, wrong_other = (len(first) - one) * chosen.gold, (len(second) - other) * chosen.gold
    starts = chosen.alignment.gold.starts()
    scored = np.logical_or.reduceat(chosen.gold, starts)
    lead = np.add.reduceat(other * len(first) - one * len(second), starts)[scored]
    return Agreement(
        both=int(one @ other) / pairs, only_first=int(one @ wrong_other) / pairs,
        only_second=int(wrong_one @ other) / pairs, neither=int(wrong_one @ wrong_other) / pairs,
        first_better=int((lead < 0).sum()), second_better=int((lead > 0).sum()), equal=int((lead == 0).sum()),
    )


def most_different(first: Side, second: Side, count: int) -> list[SentenceContrast]:
    """Return up to `count` sentences in which the numbers of correct words differ most.

    Sentences with the same difference are in the order of the text.
    """
    gold = first[0].arcs.chosen.alignment.gold
    lead = _correct_runs(second) * len(first) - _correct_runs(first) * len(second)
    by_sentence = np.abs(np.add.reduceat(lead, gold.starts()))
    chosen = [int(i) for i in np.argsort(-by_sentence, kind="stable")[:count] if by_sentence[i]]
    return [_sentence_contrast(first, second, i, lead) for i in chosen]


def _correct_runs(side: Side, heads: bool = False) -> Integers:
    """Return the number of runs in which each gold word is correct."""
    return np.sum([run.arcs.heads if heads else run.arcs.labelled for run in side], axis=0, dtype=np.int64)


def _sentence_contrast(first: Side, second: Side, number: int, lead: Integers) -> SentenceContrast:
    chosen = first[0].arcs.chosen
    gold = chosen.alignment.gold
    sentence, start = gold.sentences[number], int(gold.starts()[number])
    span = slice(start, start + len(sentence))
    return SentenceContrast(
        number + 1, sentence.sent_id, gold.place(number),
        sentence.text,
        words=int(chosen.gold[span].sum()),
        first=int(_correct_runs(first)[span].sum()) / len(first),
        second=int(_correct_runs(second)[span].sum()) / len(second),
        differing=[_word_contrast(first, second, start + i) for i in np.flatnonzero(lead[span]).tolist()],
    )


def _word_contrast(first: Side, second: Side, position: int) -> WordContrast:
    gold = first[0].arcs.chosen.alignment.gold
    word = gold.words[position]
    return WordContrast(
        word.id, word.form, word_arc(gold, position),
        [_predicted_arc(run, position) for run in first], [_predicted_arc(run, position) for run in second],
    )


def _predicted_arc(run: Evaluation, position: int) -> WordArc | None:
    alignment = run.arcs.chosen.alignment
    found = int(alignment.to_system()[position])
    return None if found < 0 else word_arc(alignment.system, found)


def word_arc(layout: TextLayout, position: int) -> WordArc:
    """Return the arc to the word at a position."""
    word, position_of_head = layout.words[position], int(layout.heads[position])
    if position_of_head == ROOT:
        return WordArc(0, "ROOT", word.deprel)
    head = layout.words[position_of_head]
    return WordArc(head.id, head.form, word.deprel)
