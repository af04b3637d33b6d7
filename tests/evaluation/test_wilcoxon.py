from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gardenpath import UsageError
from gardenpath.evaluation import wilcoxon


def brute(differences: list[float]) -> float:
    """Compute p from every choice of signs, with ranks from counts of smaller and equal sizes."""
    sizes = [round(abs(difference), 6) for difference in differences if difference]
    ranks = [sum(other < size for other in sizes) + (sum(other == size for other in sizes) + 1) / 2 for size in sizes]
    middle = sum(ranks) / 2
    above = sum(rank for rank, difference in zip(ranks, filter(None, differences), strict=True) if difference > 0)
    every = [
        sum(rank for rank, sign in zip(ranks, signs, strict=True) if sign)
        for signs in product((0, 1), repeat=len(ranks))
    ]
    return sum(abs(total - middle) >= abs(above - middle) for total in every) / len(every)


@given(st.lists(st.integers(-6, 6), max_size=9))
@settings(max_examples=200, deadline=None)
def test_p_equals_the_p_over_all_signs(differences):
    tenths = [difference / 10 for difference in differences]
    assert wilcoxon(tenths) == pytest.approx(brute(tenths))


@pytest.mark.parametrize(
    "ranks_below, n, p", [([], 6, 0.03125), ([8], 10, 2 * 25 / 1024), ([1, 2, 5], 10, 2 * 25 / 1024), ([3], 5, 0.3125)],
)
def test_values_of_published_tables(ranks_below, n, p):
    assert wilcoxon([-rank if rank in ranks_below else rank for rank in range(1, n + 1)]) == pytest.approx(p)


def test_critical_values_of_twenty_pairs():
    def of_sum(total):
        below = {total - 20 - 19, 20, 19} if total > 39 else {total}
        assert sum(below) == total
        return wilcoxon([-rank if rank in below else rank for rank in range(1, 21)])

    assert of_sum(52) <= 0.05 < of_sum(53)


def test_darwins_maize():
    assert wilcoxon([6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75]) == pytest.approx(0.041259765625)


def test_zeros_are_dropped():
    assert wilcoxon([]) == wilcoxon([0, 0.0]) == wilcoxon([1e-12] * 6) == 1
    assert wilcoxon([0, 1, 2, 0, 3]) == wilcoxon([1, 2, 3]) == 0.25


def test_rounding_errors_do_not_break_ties():
    assert 0.3 - 0.2 != 0.1
    assert wilcoxon([0.2 - 0.3, 0.1, 0.5]) == wilcoxon([-1, 1, 5]) != wilcoxon([-1, 2, 5])


@given(st.lists(st.floats(-100, 100), max_size=30), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_order_direction_and_unit_do_not_matter(differences, random):
    differences = [round(difference, 3) for difference in differences]
    p = wilcoxon(differences)
    assert 0 < p <= 1
    shuffled = random.sample(differences, len(differences))
    assert wilcoxon([-4 * difference for difference in shuffled]) == pytest.approx(p)


def test_several_hundred_pairs():
    assert wilcoxon(list(range(1, 301))) == pytest.approx(2 * 0.5**300)
    assert wilcoxon([(-1) ** i * (1 + i // 2) for i in range(300)]) == 1


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_numbers_must_be_finite(bad):
    with pytest.raises(UsageError, match="not a finite number; leave out that pair"):
        wilcoxon([1, bad])
