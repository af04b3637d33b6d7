"""The result of an evaluation: official metrics, attachment scores, breakdowns and conditions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from gardenpath.evaluation.attachment import Attachment, attachment_scores, compare_arcs
from gardenpath.evaluation.bootstrap import bootstrap_interval
from gardenpath.evaluation.breakdown import (
    ArcScore,
    scores_by_crossing,
    scores_by_label,
    scores_by_length,
    scores_by_projectivity,
)
from gardenpath.evaluation.scores import Score, official_scores
from gardenpath.evaluation.selection import Selection


def _f1(metric: str) -> property:
    def f1(self: Evaluation) -> float:
        return self.scores[metric].f1

    f1.__doc__ = f"The F1 of the official metric {metric}, in per cent."
    return property(f1)


class Evaluation:
    """The scores of a system against gold, all in per cent.

    `las`, `uas` and the other properties of that kind are the F1 scores of the CoNLL 2018 shared task under the given
    conditions. The default conditions are the official ones: all words, punctuation included, label subtypes ignored.
    `scores["LAS"]` also has precision, recall and aligned accuracy.
    """

    def __init__(
        self, chosen: Selection, *, punctuation: bool = True, subtypes: bool = False, nonprojective_only: bool = False,
    ) -> None:
        self.punctuation = punctuation
        self.subtypes = subtypes
        self.nonprojective_only = nonprojective_only
        self.same_tokens = chosen.alignment.same_tokens
        self.same_sentences = chosen.alignment.gold.sentence_spans == chosen.alignment.system.sentence_spans
        self.scores: dict[str, Score] = official_scores(chosen, subtypes=subtypes)
        self.same_tags = self.scores["AllTags"].correct == self.scores["AllTags"].aligned
        self.arcs = compare_arcs(chosen, subtypes=subtypes)

    upos, xpos, ufeats, alltags, lemmas = _f1("UPOS"), _f1("XPOS"), _f1("UFeats"), _f1("AllTags"), _f1("Lemmas")
    uas, las, clas, mlas, blex = _f1("UAS"), _f1("LAS"), _f1("CLAS"), _f1("MLAS"), _f1("BLEX")

    @cached_property
    def attachment(self) -> Attachment:
        """The attachment scores over gold words, with the counts of each sentence."""
        return attachment_scores(self.arcs)

    @cached_property
    def by_label(self) -> dict[str, Score]:
        """Labelled attachment for each label, ordered by frequency in gold."""
        return scores_by_label(self.arcs)

    @cached_property
    def by_length(self) -> dict[str, ArcScore]:
        """Labelled attachment by arc length: `root`, `1`, `2`, `3-6`, `7` and `8-` (eight words or more)."""
        return scores_by_length(self.arcs)

    @cached_property
    def by_sentence_length(self) -> dict[str, Attachment]:
        """The attachment scores by sentence length, in gold words."""
        return self.attachment.by_sentence_length()

    @cached_property
    def by_projectivity(self) -> dict[str, Attachment]:
        """The attachment scores of sentences with a `projective` and with a `non-projective` gold tree.

        A kind without sentences is left out.
        """
        return scores_by_projectivity(self.arcs)

    @cached_property
    def by_crossing(self) -> dict[str, ArcScore]:
        """Labelled attachment of `projective arcs` and `non-projective arcs`.

        An arc is non-projective if its head does not dominate all words between its ends.
        """
        return scores_by_crossing(self.arcs)

    @cached_property
    def las_interval(self) -> tuple[float, float]:
        """The 95 % bootstrap interval of the LAS over gold words, with sentences as units."""
        return bootstrap_interval(self.attachment)

    @property
    def conditions(self) -> str:
        """A sentence that states the conditions of the scores."""
        return as_sentence([*system_conditions([self]), *scoring_conditions(self)])

    def to_dict(self) -> dict[str, Any]:
        """Return all results as plain values, for JSON."""
        settings = ("punctuation", "subtypes", "nonprojective_only", "same_tokens", "same_sentences")
        rates = ("precision", "recall", "f1", "aligned_accuracy")
        counts = ("correct", "gold", "system", "aligned")
        return {
            "conditions": self.conditions,
            "settings": {name: getattr(self, name) for name in settings},
            "scores": {name: _values(score, (*rates, *counts)) for name, score in self.scores.items()},
            "attachment": _attachment(self.attachment),
            "las_interval": list(self.las_interval),
            "by_label": {name: _values(score, (*rates[:3], *counts[:3])) for name, score in self.by_label.items()},
            "by_length": {name: _arc_score(score) for name, score in self.by_length.items()},
            "by_sentence_length": {name: _attachment(score) for name, score in self.by_sentence_length.items()},
            "by_projectivity": {name: _attachment(score) for name, score in self.by_projectivity.items()},
            "by_crossing": {name: _arc_score(score) for name, score in self.by_crossing.items()},
        }

    def __repr__(self) -> str:
        return f"Evaluation(las={self.las:.2f}, uas={self.uas:.2f}: {self.conditions})"


Side = Sequence[Evaluation]  # the runs of one system


def system_conditions(runs: Side) -> list[str]:
    """Return the differences between the files of a system and gold, except for the trees."""
    same_tokens = all(run.same_tokens for run in runs)
    return [
        "gold tokens" if same_tokens else "tokens differ from gold, words aligned by characters",
        "gold sentences" if all(run.same_sentences for run in runs) else "sentence boundaries differ from gold",
        "gold tags" if all(run.same_tags for run in runs) else "tags differ from gold",
    ]


def scoring_conditions(run: Evaluation) -> list[str]:
    """Return the conditions under which the words are scored."""
    return [
        "punctuation counted" if run.punctuation else "punctuation (gold UPOS PUNCT) left out",
        "label subtypes compared" if run.subtypes else "label subtypes ignored",
        "only sentences with a non-projective gold tree" if run.nonprojective_only else "all trees",
        f"{_count(run.attachment.sentences, 'sentence')} and {_count(run.scores['Words'].gold, 'word')} of gold",
    ]


def as_sentence(conditions: list[str]) -> str:
    """Join conditions to one sentence."""
    text = "; ".join(conditions)
    return f"{text[0].upper()}{text[1:]}."


def _attachment(scores: Attachment) -> dict[str, float]:
    return _values(scores, ("uas", "las", "label_accuracy", "exact_unlabelled", "exact_labelled", "sentences", "words"))


def _arc_score(score: ArcScore) -> dict[str, float]:
    return _values(score, ("precision", "recall", "gold", "gold_correct", "system", "system_correct"))


def _values(scores: object, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: getattr(scores, name) for name in names}


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
