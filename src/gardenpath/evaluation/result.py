"""What an evaluation found: the official metrics, the attachment scores, where the errors are, and under which conditions all this holds."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from gardenpath.evaluation.attachment import Attachment, attachment_scores, compare_arcs
from gardenpath.evaluation.breakdown import LengthScore, scores_by_label, scores_by_length
from gardenpath.evaluation.scores import Score, official_scores
from gardenpath.evaluation.selection import Selection
from gardenpath.evaluation.significance import bootstrap_interval


def _f1(metric: str) -> property:
    def f1(self: Evaluation) -> float:
        return self.scores[metric].f1

    f1.__doc__ = f"The F1 of the official metric {metric}, in per cent."
    return property(f1)


class Evaluation:
    """The scores of a system against gold, all in per cent.

    `las` and its like are the F1 of the CoNLL 2018 shared task under the conditions asked for (by default the official ones: all words, punctuation
    included, label subtypes ignored); `scores["LAS"]` has precision, recall and aligned accuracy as well.
    """

    def __init__(self, chosen: Selection, *, punctuation: bool = True, subtypes: bool = False, nonprojective_only: bool = False) -> None:
        self.punctuation = punctuation
        self.subtypes = subtypes
        self.nonprojective_only = nonprojective_only
        self.same_tokens = chosen.alignment.same_tokens
        self.same_sentences = chosen.alignment.gold.sentence_spans == chosen.alignment.system.sentence_spans
        self.scores: dict[str, Score] = official_scores(chosen, subtypes=subtypes)
        self._arcs = compare_arcs(chosen, subtypes=subtypes)

    upos, xpos, ufeats, alltags, lemmas = _f1("UPOS"), _f1("XPOS"), _f1("UFeats"), _f1("AllTags"), _f1("Lemmas")
    uas, las, clas, mlas, blex = _f1("UAS"), _f1("LAS"), _f1("CLAS"), _f1("MLAS"), _f1("BLEX")

    @cached_property
    def attachment(self) -> Attachment:
        """The attachment scores over gold words, with their counts for each sentence."""
        return attachment_scores(self._arcs)

    @cached_property
    def by_label(self) -> dict[str, Score]:
        """Labelled attachment for each label, the most frequent in gold first."""
        return scores_by_label(self._arcs)

    @cached_property
    def by_length(self) -> dict[str, LengthScore]:
        """Labelled attachment by the length of arcs: `root`, `1`, `2`, `3-6`, `7` and `8-` (eight words or more)."""
        return scores_by_length(self._arcs)

    @cached_property
    def by_sentence_length(self) -> dict[str, Attachment]:
        """The attachment scores of short and long sentences, by their number of words in gold."""
        return self.attachment.by_sentence_length()

    @cached_property
    def las_interval(self) -> tuple[float, float]:
        """The 95 % bootstrap interval of the LAS over gold words, with sentences as units."""
        return bootstrap_interval(self.attachment)

    @property
    def conditions(self) -> str:
        """A sentence that says under which conditions the scores hold."""
        tags = self.scores["AllTags"]
        parts = [
            "gold tokens" if self.same_tokens else "tokens differ from gold, words aligned by characters",
            "gold sentences" if self.same_sentences else "sentence boundaries differ from gold",
            "gold tags" if tags.correct == tags.aligned else "tags differ from gold",
            "punctuation counted" if self.punctuation else "punctuation (gold UPOS PUNCT) left out",
            "label subtypes compared" if self.subtypes else "label subtypes ignored",
            "only sentences with a non-projective gold tree" if self.nonprojective_only else "all trees",
        ]
        words = f"{_count(self.attachment.sentences, 'sentence')} and {_count(self.scores['Words'].gold, 'word')} of gold"
        text = "; ".join([*parts, words])
        return f"{text[0].upper()}{text[1:]}."

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, for JSON."""
        rates = ("precision", "recall", "f1", "aligned_accuracy")
        counts = ("correct", "gold", "system", "aligned")
        return {
            "conditions": self.conditions,
            "settings": {name: getattr(self, name) for name in ("punctuation", "subtypes", "nonprojective_only", "same_tokens", "same_sentences")},
            "scores": {name: _values(score, (*rates, *counts)) for name, score in self.scores.items()},
            "attachment": _attachment(self.attachment),
            "las_interval": list(self.las_interval),
            "by_label": {name: _values(score, (*rates[:3], *counts[:3])) for name, score in self.by_label.items()},
            "by_length": {
                name: _values(score, ("precision", "recall", "gold", "gold_correct", "system", "system_correct"))
                for name, score in self.by_length.items()
            },
            "by_sentence_length": {name: _attachment(score) for name, score in self.by_sentence_length.items()},
        }

    def __repr__(self) -> str:
        return f"Evaluation(las={self.las:.2f}, uas={self.uas:.2f}: {self.conditions})"


def _attachment(scores: Attachment) -> dict[str, float]:
    return _values(scores, ("uas", "las", "label_accuracy", "exact_unlabelled", "exact_labelled", "sentences", "words"))


def _values(scores: object, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: getattr(scores, name) for name in names}


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
