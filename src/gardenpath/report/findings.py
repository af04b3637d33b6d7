"""The findings of an experiment, computed once for all formats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gardenpath.errors import UsageError
from gardenpath.experiments.results import Results
from gardenpath.report.about import facts, missing
from gardenpath.report.breakdowns import breakdowns
from gardenpath.report.comparisons import Comparisons, Pairing
from gardenpath.report.costs import curves, memory, speeds, training_seconds
from gardenpath.report.repairs import summarise_repairs
from gardenpath.report.scores import METRICS, TESTED, ConditionScores, metric_of

Row = dict[str, Any]


class Findings:
    """The findings of an experiment. Differences and claims are about `metric`."""

    def __init__(self, results: Results, folder: Path, metric: str = "las") -> None:
        if metric not in TESTED:
            raise UsageError(f"conditions cannot be compared by {metric!r}; choose one of: {', '.join(TESTED)}")
        self.results = results
        self.metric = metric
        self.facts = facts(results)
        self.missing = missing(results)
        self.scores = {name: ConditionScores(results, metric_of(name)) for name in METRICS}
        comparisons = Comparisons(results, TESTED)
        self.pairings = {name: comparisons.with_baseline(name) for name in TESTED}
        self.claims = comparisons.of_claims(metric)
        self.breakdowns = breakdowns(results)
        self.speeds = speeds(results, folder)
        self.training_seconds = training_seconds(results)
        self.memory = memory(results)
        self.curves = curves(results)
        self.repairs = summarise_repairs(results)

    @property
    def differences(self) -> list[Pairing]:
        """All conditions compared with the baseline, by `metric`."""
        return self.pairings[self.metric]

    @property
    def common_treebanks(self) -> str:
        """A description of the treebanks that means are computed over."""
        common = self.results.in_all_conditions()
        return (
            "all treebanks"
            if common == self.results.treebanks
            else f"the treebanks that all conditions have ({', '.join(common) or 'none yet'})"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values for JSON."""
        results = self.results
        return {
            "title": results.title,
            "notes": results.notes,
            "about": dict(self.facts),
            "missing_runs": results.missing,
            "metric": self.metric,
            "treebanks": results.treebanks,
            "conditions": results.plan["conditions"],
            "baseline": results.baseline,
            "scores": {name: [asdict(score) for score in scores.every] for name, scores in self.scores.items()},
            "differences": [_plain(pairing) for pairing in self.differences],
            "claims": [
                {"claim": claim.claim} | _plain(pairing) | {"verdict": pairing.verdict}
                for claim, pairing in zip(results.claims, self.claims, strict=True)
            ],
            "breakdowns": {
                name: [asdict(share) | {"percent": share.percent} for share in each.shares]
                for name, each in self.breakdowns.items()
            },
            "speed": {"in_turns": self.speeds.in_turns, "every": [asdict(speed) for speed in self.speeds.every]},
            "training_seconds": [asdict(score) for score in self.training_seconds.every],
            "memory_mb": [asdict(score) for score in self.memory.every],
            "learning_curves": [asdict(curve) for curve in self.curves],
            "repairs": [each.to_dict() for each in self.repairs],
            "runs": list(self.rows()),
        }

    def rows(self) -> Iterator[Row]:
        """Yield one row for each result: condition, treebank and seed."""
        for cell in self.results.cells.values():
            for result in cell.results:
                yield {
                    "condition": cell.condition,
                    "treebank": cell.treebank,
                    "seed": result.seed,
                    **{name: metric_of(name)(result) for name in METRICS},
                    "label_accuracy": result.attachment.label_accuracy,
                    "words": result.attachment.words,
                    "sentences": result.attachment.sentences,
                    "words_per_second": result.parse["words_per_second"],
                    "training_seconds": result.record["seconds"]["training_cpu"],
                    "memory_mb": result.record["memory_mb"],
                    "best_pass": result.record["best_pass"],
                    "key": result.record["key"],
                }


def _plain(pairing: Pairing) -> dict[str, Any]:
    treebanks = [asdict(each) | {"p_over_seeds": each.p_over_seeds} for each in pairing.treebanks]
    return asdict(pairing) | {"difference": pairing.difference, "pairs": pairing.pairs, "treebanks": treebanks}
