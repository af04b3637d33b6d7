"""The agreement of two annotations of the same text, of which neither is gold."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from gardenpath.evaluation.agreement import WordArc, word_arc
from gardenpath.evaluation.alignment import UNALIGNED
from gardenpath.evaluation.kappa import Kappa, cohen, cohen_by_category
from gardenpath.evaluation.layout import ROOT
from gardenpath.evaluation.result import Evaluation, as_sentence, scoring_conditions
from gardenpath.evaluation.scores import labels
from gardenpath.evaluation.selection import sentences_of
from gardenpath.formats.document import Sentence, Word

SCORES = ("Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "Lemmas", "UAS", "LAS")
COLUMNS = ("lemma", "upos", "xpos", "feats")


@dataclass(frozen=True, slots=True)
class WordDifference:
    """A word that the annotations differ on: its columns in both, None where a side has no such word.

    `columns` are the names of those that differ: `head`, `deprel`, `lemma`, `upos`, `xpos`, `feats`, or `word` if one
    side has no such word.
    """

    first: Word | None
    second: Word | None
    first_arc: WordArc | None
    second_arc: WordArc | None
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SentenceDifference:
    """A sentence of the first annotation, the sentences of the second that overlap it, and the words that differ."""

    number: int
    place: str
    first: Sentence
    second: list[Sentence]
    words: list[WordDifference]


class Difference:
    """The agreement of two annotations.

    `scores` has the agreement in per cent: F1 for tokens, sentences and words, and for the columns of aligned words.
    """

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._chosen = evaluation.arcs.chosen
        self._alignment = self._chosen.alignment
        self.scores = {name: evaluation.scores[name].f1 for name in SCORES}

    @property
    def files(self) -> tuple[str, str]:
        """The names of the two annotations."""
        return self._alignment.gold.name, self._alignment.system.name

    @cached_property
    def _pairs(self) -> list[tuple[int, int]]:
        """The positions of the aligned words that are compared."""
        pairs = zip(self._alignment.gold_index.tolist(), self._alignment.system_index.tolist(), strict=True)
        return [(one, other) for one, other in pairs if self._chosen.gold[one]]

    def _values(self, column: str) -> tuple[list[str], list[str]]:
        sides = (self._alignment.gold, self._alignment.system)
        if column == "deprel":
            first, second = (labels(side, self._evaluation.subtypes) for side in sides)
        else:
            first, second = ([getattr(word, column) for word in side.words] for side in sides)
        return [first[one] for one, _ in self._pairs], [second[other] for _, other in self._pairs]

    @cached_property
    def kappa(self) -> dict[str, Kappa]:
        """Cohen's kappa of `heads`, `labels` and `upos` of aligned words.

        The category of a head is its distance from the word and its direction, or the root.
        """
        return {
            "heads": cohen(*self._distances()), "labels": cohen(*self._values("deprel")),
            "upos": cohen(*self._values("upos")),
        }

    def _distances(self) -> tuple[list[int], list[int]]:
        """Return the distance to the head in words of the first annotation, by annotation; 0 for the root.

        A head of the second annotation that is not aligned has a distance that no other head has.
        """
        gold, system, to_gold = self._alignment.gold, self._alignment.system, self._alignment.to_gold()
        nowhere = len(gold.words) + 1
        first, second = [], []
        for one, other in self._pairs:
            head, found = int(gold.heads[one]), int(to_gold[system.heads[other]])
            first.append(0 if head == ROOT else head - one)
            second.append(0 if found == ROOT else nowhere if found == UNALIGNED else found - one)
        return first, second

    @cached_property
    def by_label(self) -> dict[str, Kappa]:
        """Cohen's kappa of each label: label or another one. The most frequent label comes first."""
        return cohen_by_category(*self._values("deprel"))

    @cached_property
    def by_upos(self) -> dict[str, Kappa]:
        """Cohen's kappa of each UPOS."""
        return cohen_by_category(*self._values("upos"))

    def confusion(self, column: str = "deprel") -> Counter[tuple[str, str]]:
        """Return how often each pair of values of a column occurs, such as `deprel` or `upos`, equal ones included."""
        return Counter(zip(*self._values(column), strict=True))

    @cached_property
    def sentences(self) -> list[SentenceDifference]:
        """The sentences with words that differ, in the order of the text."""
        gold = self._alignment.gold
        to_system = self._alignment.to_system()
        extra = self._extra_words()
        found = []
        for number, (sentence, start) in enumerate(zip(gold.sentences, gold.starts().tolist(), strict=True)):
            span = range(start, start + len(sentence))
            words = [
                difference for one in span if self._chosen.gold[one]
                if (difference := self._difference(one, int(to_system[one]))).columns
            ]
            words += [self._added(other) for other in extra.get(number, ())]
            if words:
                found.append(SentenceDifference(number + 1, gold.place(number), sentence, self._others(number), words))
        return found

    def _difference(self, one: int, other: int) -> WordDifference:
        gold, system = self._alignment.gold, self._alignment.system
        word, arc = gold.words[one], word_arc(gold, one)
        if other == UNALIGNED:
            return WordDifference(word, None, arc, None, ("word",))
        second = system.words[other]
        columns = [column for column in COLUMNS if getattr(word, column) != getattr(second, column)]
        if not self._evaluation.arcs.labels[one]:
            columns.insert(0, "deprel")
        if not self._evaluation.arcs.heads[one]:
            columns.insert(0, "head")
        return WordDifference(word, second, arc, word_arc(system, other), tuple(columns))

    def _added(self, other: int) -> WordDifference:
        system = self._alignment.system
        return WordDifference(None, system.words[other], None, word_arc(system, other), ("word",))

    def _extra_words(self) -> dict[int, list[int]]:
        """Return the words of the second annotation that are not aligned, by sentence of the first."""
        to_gold = self._alignment.to_gold()[:-1]
        spare = [other for other in (to_gold == UNALIGNED).nonzero()[0].tolist() if self._chosen.system[other]]
        spans = [self._alignment.system.spans[other] for other in spare]
        found: dict[int, list[int]] = {}
        for other, number in zip(spare, sentences_of(self._alignment.gold, spans).tolist(), strict=True):
            found.setdefault(number, []).append(other)
        return found

    def _others(self, number: int) -> list[Sentence]:
        start, end = self._alignment.gold.sentence_spans[number]
        system = self._alignment.system
        return [
            sentence for sentence, (first, last) in zip(system.sentences, system.sentence_spans, strict=True)
            if first < end and last > start
        ]

    @property
    def conditions(self) -> str:
        """A sentence that states the conditions of the scores."""
        run = self._evaluation
        tokens = "same tokens" if run.same_tokens else "different tokens, words aligned by characters"
        bounds = "same sentences" if run.same_sentences else "different sentence boundaries"
        punctuation, subtypes, _, size = scoring_conditions(run)
        return as_sentence([
            tokens, bounds, punctuation.replace("gold UPOS", "UPOS of the first annotation"), subtypes,
            size.replace("gold", "the first annotation"),
        ])

    def to_dict(self) -> dict[str, Any]:
        """Return all results as plain values, for JSON."""
        return {
            "conditions": self.conditions, "files": list(self.files), "scores": self.scores,
            **{
                name: {key: _plain(kappa) for key, kappa in getattr(self, name).items()}
                for name in ("kappa", "by_label", "by_upos")
            },
            "confusion": {
                column: [[one, other, count] for (one, other), count in self.confusion(column).most_common()]
                for column in ("deprel", "upos")
            },
            "sentences": [
                {"place": sentence.place, "words": [_plain_word(word) for word in sentence.words]}
                for sentence in self.sentences
            ],
        }

    def __repr__(self) -> str:
        return f"Difference(las={self.scores['LAS']:.2f}, uas={self.scores['UAS']:.2f}: {self.conditions})"


def _plain(kappa: Kappa) -> dict[str, Any]:
    return {"kappa": kappa.value, "observed": kappa.observed, "expected": kappa.expected, "items": kappa.items}


def _plain_word(word: WordDifference) -> dict[str, Any]:
    return {
        "columns": list(word.columns), "first": list(word.first.columns()) if word.first else None,
        "second": list(word.second.columns()) if word.second else None,
    }
