from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from gardenpath import UsageError
from gardenpath.evaluation import Attachment, bootstrap_interval, compare
from gardenpath.evaluation.significance import randomisation


def run(seed: int, accuracy: float, sentences: int = 400) -> Attachment:
    """Sentences of the same lengths, with right heads and labels drawn at random."""
    counted = np.random.default_rng(0).integers(1, 30, sentences)
    heads = np.random.default_rng(seed).binomial(counted, accuracy)
    return Attachment(counted, counted, heads, heads, heads)


def test_equal_systems_do_not_differ():
    comparison = compare(run(1, 0.8), run(1, 0.8))
    assert comparison.p == 1
    assert comparison.difference == 0


def test_clearly_different_systems_differ():
    comparison = compare(run(1, 0.8), run(2, 0.9))
    assert comparison.p < 0.001
    assert comparison.difference == pytest.approx(10, abs=1.5)
    assert comparison.first == run(1, 0.8).las


def test_the_same_seed_gives_the_same_answer():
    first, second = run(1, 0.80), run(2, 0.81)
    assert compare(first, second, seed=3) == compare(first, second, seed=3)
    assert compare(first, second, seed=3).p != compare(first, second, seed=4).p
    assert bootstrap_interval(first, seed=3) == bootstrap_interval(first, seed=3)


def test_the_order_of_the_systems_does_not_matter():
    forth, back = compare(run(1, 0.80), run(2, 0.81)), compare(run(2, 0.81), run(1, 0.80))
    assert forth.p == back.p
    assert forth.difference == -back.difference


def test_p_is_near_that_of_trying_every_swap():
    differences = np.array([3, -1, 2, 0, 2, -1, 1, 4])
    every = [abs(sum(sign * d for sign, d in zip(signs, differences, strict=True))) for signs in product((1, -1), repeat=len(differences))]
    exact = sum(total >= differences.sum() for total in every) / len(every)
    assert randomisation(differences, rounds=50_000) == pytest.approx(exact, abs=0.01)


def test_several_seeds_are_compared_by_their_mean():
    first, second = [run(seed, 0.80) for seed in (1, 2, 3)], [run(seed, 0.82) for seed in (4, 5)]
    comparison = compare(first, second, metric="uas")
    assert comparison.first == pytest.approx(np.mean([one.uas for one in first]))
    assert comparison.second == pytest.approx(np.mean([one.uas for one in second]))
    assert compare([first[0]] * 3, first[0]).p == 1
    assert compare([first[0]] * 2, [second[0]] * 3).p == compare(first[0], second[0]).p


def test_the_interval_holds_the_score_and_shrinks_with_more_sentences():
    small, large = run(1, 0.8, 100), run(1, 0.8, 5000)
    intervals = [bootstrap_interval(small), bootstrap_interval(large)]
    for attachment, (low, high) in zip((small, large), intervals, strict=True):
        assert low < attachment.las < high
    assert intervals[1][1] - intervals[1][0] < (intervals[0][1] - intervals[0][0]) / 3
    low, high = bootstrap_interval([small, small])
    assert (low, high) == intervals[0]


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: compare(run(1, 0.8), run(1, 0.8, 300)), "different gold sentences or under different conditions"),
        (lambda: compare(run(1, 0.8), []), "no runs"),
        (lambda: compare(run(1, 0.8), run(1, 0.8), metric="blex"), "no metric 'blex'; use one of las, uas, label_accuracy"),
        (lambda: compare(run(1, 0.8), run(1, 0.8), rounds=0), "0 rounds"),
        (lambda: bootstrap_interval(run(1, 0.8), level=95), "level 95 is no probability"),
    ],
)
def test_bad_calls_name_the_remedy(call, message):
    with pytest.raises(UsageError, match=message):
        call()
