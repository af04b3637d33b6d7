"""Which words and sentences one system gets right and the other does not.

A word is right if its head and label are, or with `heads` if its head is. With several runs a word counts for each pair of a run of the one system and a
run of the other, and the counts are means over these pairs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gardenpath.evaluation.layout import ROOT, Integers, Layout
from gardenpath.evaluation.result import Evaluation, Side


@dataclass(frozen=True, slots=True)
class Agreement:
    """How many words both get right, only the first, only the second, or neither; and in how many sentences either gets more words right."""

    both: float
    only_first: float
    only_second: float
    neither: float
    first_better: int
    second_better: int
    equal: int


@dataclass(frozen=True, slots=True)
class Arc:
    """The arc to a word as it stands in a file: the number and form of the head (0 and `ROOT` for the root), and the label."""

    head: int
    form: str
    label: str


@dataclass(frozen=True, slots=True)
class WordContrast:
    """A word that one system gets right more often than the other: its arc in gold, and in each run of either, None where no word is aligned."""

    id: int
    form: str
    gold: Arc
    first: list[Arc | None]
    second: list[Arc | None]


@dataclass(frozen=True, slots=True)
class SentenceContrast:
    """A sentence, how many of its scored words either system gets right (the mean of its runs), and which words make the difference."""

    number: int
    sent_id: str | None
    place: str
    text: str
    words: int
    first: float
    second: float
    differing: list[WordContrast]


def agreement(first: Side, second: Side, *, heads: bool = False) -> Agreement:
    """Count what both, one or neither gets right."""
    chosen = first[0].arcs.chosen
    one, other = _right(first, heads), _right(second, heads)
    pairs = len(first) * len(second)
    wrong_one, wrong_other = (len(first) - one) * chosen.gold, (len(second) - other) * chosen.gold
    starts = chosen.alignment.gold.starts()
    lead = np.add.reduceat(other * len(first) - one * len(second), starts)[np.logical_or.reduceat(chosen.gold, starts)]
    return Agreement(
        both=int(one @ other) / pairs, only_first=int(one @ wrong_other) / pairs,
        only_second=int(wrong_one @ other) / pairs, neither=int(wrong_one @ wrong_other) / pairs,
        first_better=int((lead < 0).sum()), second_better=int((lead > 0).sum()), equal=int((lead == 0).sum()),
    )


def most_different(first: Side, second: Side, count: int) -> list[SentenceContrast]:
    """The sentences in which the numbers of right words differ most, at most `count`; of equal ones the earlier comes first."""
    gold = first[0].arcs.chosen.alignment.gold
    lead = _right(second) * len(first) - _right(first) * len(second)
    by_sentence = np.abs(np.add.reduceat(lead, gold.starts()))
    chosen = [int(i) for i in np.argsort(-by_sentence, kind="stable")[:count] if by_sentence[i]]
    return [_sentence_contrast(first, second, i, lead) for i in chosen]


def _right(side: Side, heads: bool = False) -> Integers:
    """In how many runs each gold word is right."""
    return np.sum([run.arcs.heads if heads else run.arcs.labelled for run in side], axis=0, dtype=np.int64)


def _sentence_contrast(first: Side, second: Side, number: int, lead: Integers) -> SentenceContrast:
    chosen = first[0].arcs.chosen
    gold = chosen.alignment.gold
    sentence, start = gold.sentences[number], int(gold.starts()[number])
    span = slice(start, start + len(sentence))
    return SentenceContrast(
        number + 1, sentence.sent_id, gold.place(number), sentence.text or " ".join(token.form for token in sentence.tokens),
        words=int(chosen.gold[span].sum()),
        first=int(_right(first)[span].sum()) / len(first), second=int(_right(second)[span].sum()) / len(second),
        differing=[_word_contrast(first, second, start + i) for i in np.flatnonzero(lead[span]).tolist()],
    )


def _word_contrast(first: Side, second: Side, position: int) -> WordContrast:
    gold = first[0].arcs.chosen.alignment.gold
    word = gold.words[position]
    return WordContrast(
        word.id, word.form, _arc(gold, position), [_answer(run, position) for run in first], [_answer(run, position) for run in second],
    )


def _answer(run: Evaluation, position: int) -> Arc | None:
    alignment = run.arcs.chosen.alignment
    found = int(alignment.to_system()[position])
    return None if found < 0 else _arc(alignment.system, found)


def _arc(layout: Layout, position: int) -> Arc:
    word, head = layout.words[position], int(layout.heads[position])
    return Arc(0, "ROOT", word.deprel) if head == ROOT else Arc(layout.words[head].id, layout.words[head].form, word.deprel)
