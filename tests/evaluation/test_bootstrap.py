from __future__ import annotations

import numpy as np
import pytest
from random_runs import run

from gardenpath import UsageError
from gardenpath.evaluation import Attachment, bootstrap_interval
from gardenpath.evaluation.bootstrap import intervals_by_metric


def slow_rates(attachment: Attachment, rounds: int, seed: int) -> np.ndarray:
    """Return the LAS of each round, computed sentence by sentence."""
    drawn = np.random.default_rng(seed).integers(0, attachment.sentences, (rounds, attachment.sentences))
    return np.array(
        [100 * sum(attachment.right_both[i] for i in row) / sum(attachment.counted[i] for i in row) for row in drawn]
    )


def test_the_interval_contains_the_score_and_shrinks_with_more_sentences():
    small, large = run(1, 0.8, 100), run(1, 0.8, 5000)
    intervals = [bootstrap_interval(small), bootstrap_interval(large)]
    for attachment, (low, high) in zip((small, large), intervals, strict=True):
        assert low < attachment.las < high
    assert intervals[1][1] - intervals[1][0] < (intervals[0][1] - intervals[0][0]) / 3
    assert bootstrap_interval([small, small]) == intervals[0]
    assert bootstrap_interval(small, seed=3) == bootstrap_interval(small, seed=3) != intervals[0]


def test_intervals_are_quantiles_of_the_rounds():
    first, second = run(1, 0.80, 50), run(2, 0.85, 50)
    one, other = slow_rates(first, 200, 7), slow_rates(second, 200, 7)
    found = intervals_by_metric(first, second, ["las"], rounds=200, seed=7)["las"]
    for interval, rates in zip(found, (one, other, other - one), strict=True):
        assert interval == pytest.approx(np.quantile(rates, (0.025, 0.975)))
    assert found.first == bootstrap_interval(first, rounds=200, seed=7)


def test_a_constant_difference_has_an_interval_of_width_zero():
    counted = np.full(100, 10)
    right = np.random.default_rng(1).integers(0, 10, 100)
    first, second = (Attachment(counted, counted, heads, heads, heads) for heads in (right, right + 1))
    intervals = intervals_by_metric(first, second, ["las"])["las"]
    assert intervals.difference == pytest.approx((10, 10))
    assert intervals.first[1] - intervals.first[0] > 5


def test_several_metrics_use_the_same_draws():
    first, second = run(1, 0.95), [run(2, 0.96), run(3, 0.97)]
    every = intervals_by_metric(first, second, ["las", "exact_labelled"])
    assert every == {metric: intervals_by_metric(first, second, [metric])[metric] for metric in every}
    assert every["exact_labelled"].first[0] < first.exact_labelled < every["exact_labelled"].first[1]


def test_bad_calls_raise_an_error():
    with pytest.raises(UsageError, match="level must be between 0 and 1, not 95"):
        bootstrap_interval(run(1, 0.8), level=95)
    with pytest.raises(UsageError, match="rounds must be at least 1, not 0"):
        bootstrap_interval(run(1, 0.8), rounds=0)
