"""The result of a comparison of two systems: scores, significance tests and breakdowns."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from typing import Any

from gardenpath.evaluation.agreement import Agreement, SentenceContrast, agreement, most_different
from gardenpath.evaluation.bootstrap import Interval, intervals_by_metric
from gardenpath.evaluation.contrasts import (
    ArcContrast,
    AttachmentContrast,
    LabelContrast,
    arc_contrasts,
    attachment_contrasts,
    label_contrasts,
)
from gardenpath.evaluation.result import Side, as_sentence, scoring_conditions, system_conditions
from gardenpath.evaluation.significance import Contrast, compare_runs, holm

SCORES = ("uas", "las", "label_accuracy", "exact_labelled")


@dataclass(frozen=True, slots=True)
class ScoreContrast(Contrast):
    """A score of both systems, with 95 % bootstrap intervals of both scores and of their difference.

    `holm_p` is `p` adjusted for all scores (Holm).
    """

    first_interval: Interval
    second_interval: Interval
    interval: Interval
    p: float
    holm_p: float


class Comparison:
    """The scores of two systems against the same gold, in per cent and over gold words.

    `first` and `second` are the evaluations of the runs of each system. Differences are the second score minus the
    first.
    """

    def __init__(self, first: Side, second: Side, *, rounds: int = 10_000, seed: int = 1) -> None:
        self.first = first
        self.second = second
        self.rounds = rounds
        self.seed = seed

    @property
    def files(self) -> tuple[list[str], list[str]]:
        """The files of each system."""
        first, second = ([run.arcs.chosen.alignment.system.name for run in side] for side in (self.first, self.second))
        return first, second

    @cached_property
    def scores(self) -> dict[str, ScoreContrast]:
        """`uas`, `las`, `label_accuracy` and `exact_labelled` of both systems."""
        first, second = ([run.attachment for run in side] for side in (self.first, self.second))
        compared = {
            metric: compare_runs(first, second, metric=metric, rounds=self.rounds, seed=self.seed) for metric in SCORES
        }
        intervals = intervals_by_metric(first, second, SCORES, rounds=self.rounds, seed=self.seed)
        adjusted = holm([result.p for result in compared.values()])
        return {
            metric: ScoreContrast(result.first, result.second, *intervals[metric], result.p, holm_p)
            for (metric, result), holm_p in zip(compared.items(), adjusted, strict=True)
        }

    @cached_property
    def agreement(self) -> dict[str, Agreement]:
        """Counts of words that both, one or neither predicts correctly: `uas` by heads, `las` by heads and labels."""
        return {"uas": agreement(self.first, self.second, heads=True), "las": agreement(self.first, self.second)}

    @cached_property
    def by_label(self) -> dict[str, LabelContrast]:
        """Labelled attachment for each label, ordered by frequency in gold.

        Labels with at least 20 gold arcs are tested for significance.
        """
        return label_contrasts(self.first, self.second, rounds=self.rounds, seed=self.seed)

    @cached_property
    def by_length(self) -> dict[str, ArcContrast]:
        """Labelled attachment by arc length, as in `Evaluation.by_length`."""
        return arc_contrasts(self.first, self.second, lambda run: run.by_length)

    @cached_property
    def by_sentence_length(self) -> dict[str, AttachmentContrast]:
        """The attachment scores by sentence length."""
        return attachment_contrasts(self.first, self.second, lambda run: run.by_sentence_length)

    @cached_property
    def by_projectivity(self) -> dict[str, AttachmentContrast]:
        """The attachment scores of sentences with a `projective` and with a `non-projective` gold tree."""
        return attachment_contrasts(self.first, self.second, lambda run: run.by_projectivity)

    @cached_property
    def by_crossing(self) -> dict[str, ArcContrast]:
        """Labelled attachment of `projective arcs` and `non-projective arcs`."""
        return arc_contrasts(self.first, self.second, lambda run: run.by_crossing)

    def most_different(self, count: int = 10) -> list[SentenceContrast]:
        """Return the sentences in which the numbers of correct words differ most, with the words that differ."""
        return most_different(self.first, self.second, count)

    @property
    def conditions(self) -> str:
        """A sentence that states the conditions of the scores."""
        sides = {"A": self.first, "B": self.second}
        files = {name: system_conditions(side) for name, side in sides.items()}
        about = [f"{name}: {', '.join(found)}" for name, found in files.items()]
        if files["A"] == files["B"]:
            about = files["A"]
        if not all(run.same_tokens for run in (*self.first, *self.second)):
            about = [*about, "a gold word with no aligned word counts as wrong"]
        several = [f"{name} is the mean of {len(side)} runs" for name, side in sides.items() if len(side) > 1]
        methods = "p by approximate randomisation, 95 % intervals by the bootstrap over sentences"
        draws = f"{methods}, {self.rounds:,} rounds, seed {self.seed}"
        return as_sentence([*about, *scoring_conditions(self.first[0]), *several, draws])

    def to_dict(self, sentences: int = 10) -> dict[str, Any]:
        """Return all results as plain values, for JSON, with up to `sentences` of the sentences that differ most."""
        breakdowns = ("by_label", "by_length", "by_sentence_length", "by_projectivity", "by_crossing")
        return {
            "conditions": self.conditions,
            "files": _plain(self.files),
            "settings": {
                name: getattr(self.first[0], name) for name in ("punctuation", "subtypes", "nonprojective_only")
            },
            "rounds": self.rounds,
            "seed": self.seed,
            **{name: _plain(getattr(self, name)) for name in ("scores", "agreement", *breakdowns)},
            "sentences": _plain(self.most_different(sentences)),
        }

    def __repr__(self) -> str:
        las = self.scores["las"]
        return f"Comparison(las={las.first:.2f} and {las.second:.2f}, p={las.p:.4f}: {self.conditions})"


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if not is_dataclass(value):
        return value
    values = {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    return values | {"difference": value.difference} if isinstance(value, Contrast) else values
