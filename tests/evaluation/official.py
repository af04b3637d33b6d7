"""Comparison with the official scorer."""

from __future__ import annotations

import io

from udtools.udeval import evaluate, load_conllu

from gardenpath import evaluate as our_evaluate
from gardenpath import read_conllu
from gardenpath.evaluation import METRICS


def assert_equal_to_official(gold: str, system: str) -> None:
    """Compare every rate and count of every metric exactly."""
    theirs = evaluate(*(load_conllu(io.StringIO(text), "test", {}) for text in (gold, system)))
    ours = our_evaluate(*(read_conllu(io.BytesIO(text.encode())) for text in (gold, system))).scores
    assert tuple(ours) == METRICS
    for name, score in ours.items():
        official = theirs[name]
        assert (score.correct, score.gold, score.system) == (
            official.correct, official.gold_total, official.system_total,
        ), name
        assert (score.precision, score.recall, score.f1) == (
            100 * official.precision, 100 * official.recall, 100 * official.f1,
        ), name
        assert score.aligned == official.aligned_total, name
        assert score.aligned_accuracy == (
            None if official.aligned_accuracy is None else 100 * official.aligned_accuracy
        ), name
