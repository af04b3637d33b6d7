from itertools import pairwise

import pytest

from experiment_records import make_experiment
from gardenpath.experiments.results import read_results
from gardenpath.report.axes import categories, linear, logarithmic
from gardenpath.report.labels import LINE, apart, beside
from gardenpath.report.palette import styles
from gardenpath.report.tables import best, bin_name, number, probability, signed, signed_count


@pytest.mark.parametrize("values", [[0, 1], [93.1, 93.2], [-4.2, 0.3], [5], [12345, 99999], [0, 0]])
def test_linear_axes_have_room_and_round_ticks(values):
    axis = linear(values)
    assert axis.low < min(values) <= max(values) < axis.high
    assert 3 <= len(axis.ticks) <= 8
    steps = {round(two - one, 9) for (one, _), (two, _) in pairwise(axis.ticks)}
    assert len(steps) == 1
    assert float(f"{steps.pop():.0e}"[0]) in (1, 2, 5)
    assert [float(label.replace("−", "-").replace(",", "")) for _, label in axis.ticks] == pytest.approx(
        [value for value, _ in axis.ticks]
    )
    assert (axis.place(axis.low), axis.place(axis.high)) == (0, 1)


@pytest.mark.parametrize("values", [[100, 100_000], [80_000, 240_000], [1000, 1001], [5]])
def test_logarithmic_axes_have_several_ticks(values):
    axis = logarithmic(values)
    assert axis.low < min(values) <= max(values) < axis.high
    assert 2 <= len(axis.ticks) <= 10
    assert axis.place((axis.low * axis.high) ** 0.5) == pytest.approx(0.5)


def test_categories_are_in_the_middle_of_their_intervals():
    axis = categories(["a", "b"])
    assert [axis.place(value) for value, _ in axis.ticks] == [0.25, 0.75]


def test_labels_at_the_ends_of_lines_do_not_overlap_and_keep_their_order():
    places = [100, 101, 300, 99, 12, 11, 10, 398, 399]
    moved = apart(places, 10, 400)
    order = sorted(range(len(places)), key=lambda i: places[i])
    sorted_places = [moved[i] for i in order]
    assert all(two - one >= LINE - 1e-9 for one, two in pairwise(sorted_places))
    assert min(moved) >= 10
    assert max(moved) <= 400
    assert moved[2] == 300


def test_labels_beside_points_cover_neither_points_nor_each_other():
    points = [(100, 100), (105, 102), (110, 98), (395, 100), (100, 20)]
    widths = [60, 60, 60, 60, 60]
    area = (0, 0, 400, 200)
    boxes = [
        (x, y - LINE / 2, x + width, y + LINE / 2)
        for (x, y), width in zip(beside(points, widths, area), widths, strict=True)
    ]
    for i, one in enumerate(boxes):
        assert area[0] <= one[0]
        assert one[2] <= area[2]
        assert not any(one[0] < x < one[2] and one[1] < y < one[3] for x, y in points)
        assert not any(one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3] for two in boxes[:i])


def test_conditions_differ_without_colour(tmp_path):
    looks = styles(read_results(make_experiment(tmp_path, {f"c{i}": 0.8 for i in range(13)}, ["one"], [1]))).values()
    assert len({(style.shape, style.filled) for style in looks}) == 13
    assert len({(style.hue, style.dash) for style in looks}) == 13


def test_conditions_of_one_system_have_one_hue(tmp_path):
    results = read_results(make_experiment(tmp_path, {"a": 0.8, "b": 0.8, "c": 0.8}, ["one"], [1]))
    for condition, system in zip(results.plan["conditions"], ("x", "y", "x"), strict=True):
        condition["settings"]["system"] = system
    first, second, third = styles(results).values()
    assert first.hue == third.hue != second.hue
    assert first.dash != third.dash


def test_formatting_of_numbers():
    assert [signed(value) for value in (0.344, -0.346, -0.001, 0.0, None)] == ["+0.34", "−0.35", "0.00", "0.00", "–"]
    assert [signed_count(value) for value in (1200, -3, 0)] == ["+1,200", "−3", "0"]
    assert [probability(value) for value in (0.0001, 0.0494, 1.0, None)] == ["<0.001", "0.049", "1.000", "–"]
    assert number(12345.678, 1) == "12,345.7"
    assert best([1.001, 1.004, None, 0.5]) == [True, True, False, False]
    assert best([1.0, None]) == [False, False]
    assert [bin_name(name) for name in ("root", "3-6", "8-", "non-projective")] == [
        "root",
        "3–6",
        "8+",
        "non-projective",
    ]
