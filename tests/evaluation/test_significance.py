from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_runs import run

from gardenpath import UsageError
from gardenpath.evaluation import compare_runs, holm
from gardenpath.evaluation.significance import f1_randomisation, randomisation


def test_equal_systems_do_not_differ():
    comparison = compare_runs(run(1, 0.8), run(1, 0.8))
    assert comparison.p == 1
    assert comparison.difference == 0


def test_clearly_different_systems_differ():
    comparison = compare_runs(run(1, 0.8), run(2, 0.9))
    assert comparison.p < 0.001
    assert comparison.difference == pytest.approx(10, abs=1.5)
    assert comparison.first == run(1, 0.8).las


def test_the_same_seed_gives_the_same_result():
    first, second = run(1, 0.80), run(2, 0.81)
    assert compare_runs(first, second, seed=3) == compare_runs(first, second, seed=3)
    assert compare_runs(first, second, seed=3).p != compare_runs(first, second, seed=4).p


def test_the_order_of_the_systems_does_not_matter():
    forth, back = compare_runs(run(1, 0.80), run(2, 0.81)), compare_runs(run(2, 0.81), run(1, 0.80))
    assert forth.p == back.p
    assert forth.difference == -back.difference


def test_p_is_close_to_the_exact_p():
    differences = np.array([3, -1, 2, 0, 2, -1, 1, 4])
    every = [
        abs(sum(sign * d for sign, d in zip(signs, differences, strict=True)))
        for signs in product((1, -1), repeat=len(differences))
    ]
    exact = sum(total >= differences.sum() for total in every) / len(every)
    assert randomisation(differences, rounds=50_000) == pytest.approx(exact, abs=0.01)


def test_several_seeds_are_compared_by_their_mean():
    first, second = [run(seed, 0.80) for seed in (1, 2, 3)], [run(seed, 0.82) for seed in (4, 5)]
    comparison = compare_runs(first, second, metric="uas")
    assert comparison.first == pytest.approx(np.mean([one.uas for one in first]))
    assert comparison.second == pytest.approx(np.mean([one.uas for one in second]))
    assert compare_runs([first[0]] * 3, first[0]).p == 1
    assert compare_runs([first[0]] * 2, [second[0]] * 3).p == compare_runs(first[0], second[0]).p


@pytest.mark.parametrize("metric", ["uas", "las", "label_accuracy", "exact_labelled", "exact_unlabelled"])
def test_every_attachment_score_can_be_compared(metric):
    first, second = run(1, 0.90), run(2, 0.97)
    comparison = compare_runs(first, second, metric=metric, rounds=1000)
    assert (comparison.first, comparison.second) == (getattr(first, metric), getattr(second, metric))
    assert comparison.p == 1 / 1001


def test_p_of_f1_is_close_to_the_exact_p():
    gold, kinds, sentences = np.array([9, 12]), 2, 8
    rng = np.random.default_rng(1)
    system = rng.integers(0, 4, (2, sentences, kinds))
    first, second = (np.stack([rng.integers(0, count + 1), count], axis=-1) for count in system)
    hits = np.zeros(kinds)
    for swapped in product((False, True), repeat=sentences):
        mask = np.array(swapped)[:, np.newaxis, np.newaxis]
        sums = [np.where(mask, one, other).sum(axis=0) for one, other in ((second, first), (first, second))]
        f1 = [200 * total[:, 0] / (gold + total[:, 1]) for total in sums]
        hits += np.abs(f1[1] - f1[0]) >= abs(observed_f1(gold, second) - observed_f1(gold, first)) - 1e-9
    assert f1_randomisation(gold, first, second, rounds=50_000) == pytest.approx(hits / 2**sentences, abs=0.01)
    assert f1_randomisation(gold, first, first, rounds=100) == [1, 1]
    assert f1_randomisation(gold[:0], first[:, :0], second[:, :0], rounds=100) == []


def observed_f1(gold, counts):
    return 200 * counts[:, :, 0].sum(axis=0) / (gold + counts[:, :, 1].sum(axis=0))


def test_holm():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]) == [1, 1]
    assert (holm([]), holm([0.2])) == ([], [0.2])


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_equals_the_step_down_procedure(ps):
    adjusted = holm(ps)
    assert all(p <= q <= 1 for p, q in zip(ps, adjusted, strict=True))
    order = sorted(range(len(ps)), key=lambda i: ps[i])
    assert [adjusted[i] for i in order] == sorted(adjusted)
    for level in (0.01, 0.05, 0.5):
        kept = next((rank for rank, i in enumerate(order) if (len(ps) - rank) * ps[i] > level), len(ps))
        assert sorted(i for i, p in enumerate(adjusted) if p <= level) == sorted(order[:kept])


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: compare_runs(run(1, 0.8), run(1, 0.8, 300)), "different gold sentences or under different conditions"),
        (lambda: compare_runs(run(1, 0.8), []), "no runs"),
        (
            lambda: compare_runs(run(1, 0.8), run(1, 0.8), metric="blex"),
            "no metric is called 'blex'; use one of las, uas, label_accuracy, exact_labelled, ",
        ),
        (lambda: compare_runs(run(1, 0.8), run(1, 0.8), rounds=0), "rounds must be at least 1, not 0"),
        (lambda: holm([0.1, 1.2]), "not between 0 and 1"),
    ],
)
def test_bad_calls_raise_an_error(call, message):
    with pytest.raises(UsageError, match=message):
        call()
