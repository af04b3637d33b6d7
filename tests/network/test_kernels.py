"""The kernels of all instruction sets against numpy, and against each other."""

import numpy as np
import pytest

from gardenpath.core.stored import BadModelError
from gardenpath.errors import UsageError
from gardenpath.network import kernels
from gardenpath.network.kernels import Matrix

SETS = kernels.available()


@pytest.fixture(autouse=True)
def _instruction_set():
    before = kernels.used()
    yield
    kernels.use(before)


def random_matrix(random, outputs, inputs):
    weights = random.integers(-128, 128, (outputs, inputs), dtype=np.int8)
    return weights, random.uniform(0.001, 0.1, outputs).astype("f")


def on_all_sets(function):
    """Return the result of a function on the best set, after a check that all sets give the same bits."""
    results = []
    for name in SETS:
        kernels.use(name)
        results.append([np.array(each).tobytes() for each in function()])
    assert all(result == results[0] for result in results)
    return [np.array(each) for each in function()]


def test_the_portable_set_is_always_available():
    assert SETS[-1] == "portable"
    assert kernels.used() == SETS[0]


def test_unknown_sets_raise_an_error():
    with pytest.raises(UsageError, match="portable"):
        kernels.use("abacus")


@pytest.mark.parametrize("rows", [0, 1, 2, 3, 5, 6, 7, 13])
@pytest.mark.parametrize("outputs, inputs", [(1, 1), (15, 3), (16, 4), (17, 5), (48, 64), (64, 7), (99, 33), (130, 50)])
def test_products_are_exact(rows, outputs, inputs):
    random = np.random.default_rng(rows * outputs + inputs)
    weights, _ = random_matrix(random, outputs, inputs)
    x = random.integers(-128, 128, (rows, inputs), dtype=np.int8)
    matrix = Matrix(weights, np.ones(outputs, "f"))
    found, = on_all_sets(lambda: [matrix.product(x, np.ones(rows, "f"))])
    assert (found == x.astype(int) @ weights.T.astype(int)).all()


def test_extreme_values_do_not_saturate():
    for sign in (-128, 127):
        x, weights = np.full((7, 4096), -128, np.int8), np.full((20, 4096), sign, np.int8)
        matrix = Matrix(weights, np.ones(20, "f"))
        found, = on_all_sets(lambda matrix=matrix, x=x: [matrix.product(x, np.ones(7, "f"))])
        assert (found == -128 * sign * 4096).all()


def test_scales_bias_and_addition():
    random = np.random.default_rng(3)
    weights, scales = random_matrix(random, 37, 21)
    x, x_scales = random.integers(-127, 128, (8, 21), dtype=np.int8), random.uniform(0.1, 1, 8).astype("f")
    bias = random.normal(0, 1, 37).astype("f")
    matrix = Matrix(weights, scales)
    with_bias, added = on_all_sets(lambda: [
        matrix.product(x, x_scales, bias=bias), matrix.product(x, x_scales, out=np.tile(2 * bias, (8, 1))),
    ])
    sums = (x.astype(int) @ weights.T.astype(int)).astype("f") * (x_scales[:, None] * scales)
    assert (with_bias == bias + sums).all()
    assert (added == 2 * bias + sums).all()


def test_rows_do_not_influence_each_other():
    random = np.random.default_rng(4)
    matrix = Matrix(*random_matrix(random, 70, 30))
    x, scales = random.integers(-127, 128, (19, 30), dtype=np.int8), random.uniform(0.1, 1, 19).astype("f")
    together = np.array(matrix.product(x, scales))
    alone = [np.array(matrix.product(x[i : i + 1], scales[i : i + 1]))[0] for i in range(19)]
    assert (together == alone).all()


@pytest.mark.parametrize("weights, scales, message", [
    (np.zeros((3, 4), np.int8), np.ones(2, "f"), "3 rows, but 2 scales"),
    (np.zeros((3, 4), np.int8), np.array([1, np.nan, 1], "f"), "finite"),
    (np.zeros((3, 4), np.int8), np.array([1, np.inf, 1], "f"), "finite"),
    (np.zeros((0, 4), np.int8), np.ones(0, "f"), "0 x 4"),
    (np.zeros((3, 0), np.int8), np.ones(3, "f"), "3 x 0"),
    (np.zeros((1, 70_000), np.int8), np.ones(1, "f"), "70000"),
    (np.zeros((3, 4), np.int16), np.ones(3, "f"), "int8"),
    (np.zeros((3, 4), np.int8), np.ones(3, "d"), "int8"),
    (np.zeros(3, np.int8), np.ones(3, "f"), "int8"),
    (None, np.ones(3, "f"), "int8"),
])
def test_bad_matrices_raise_an_error(weights, scales, message):
    with pytest.raises(BadModelError, match=message):
        Matrix(weights, scales, "w")


def test_arguments_of_products_are_checked():
    matrix = Matrix(np.zeros((3, 4), np.int8), np.ones(3, "f"))
    x, scales = np.zeros((2, 4), np.int8), np.ones(2, "f")
    with pytest.raises(UsageError, match="the rows"):
        matrix.product(x[:, :3].copy(), scales)
    with pytest.raises(UsageError, match="the rows"):
        matrix.product(x, scales[:1])
    with pytest.raises(UsageError, match="the bias"):
        matrix.product(x, scales, bias=np.zeros(4, "f"))
    with pytest.raises(UsageError, match="the output"):
        matrix.product(x, scales, out=np.zeros((3, 3), "f"))


def test_exponentials():
    x = np.concatenate([np.linspace(-87, 88, 9973), [0, -0.0, 1, -1]]).astype("f")

    def exponentials():
        values = x.copy()
        kernels.exponential(values)
        return [values]

    found, = on_all_sets(exponentials)
    np.testing.assert_allclose(found, np.exp(x.astype("d")), rtol=3e-7)
    assert found[-4] == 1


@pytest.mark.parametrize("hidden", [1, 7, 16, 37])
def test_steps_of_lstms(hidden):
    random = np.random.default_rng(hidden)
    start_gates = random.normal(0, 4, (5, 4 * hidden)).astype("f")
    start_gates[0] = np.repeat([100, -100, 100, 100], hidden)
    start_cells = random.normal(0, 2, (5, hidden)).astype("f")

    def step():
        gates, cells, states = start_gates.copy(), start_cells.copy(), np.zeros((5, hidden), np.int8)
        kernels.lstm_step(gates, cells, states)
        return cells, states

    cells, states = on_all_sets(step)
    i, f, g, o = np.split(start_gates.astype("d"), 4, axis=1)
    wanted = start_cells / (1 + np.exp(-f)) + np.tanh(g) / (1 + np.exp(-i))
    np.testing.assert_allclose(cells, wanted, atol=2e-6)
    h = np.tanh(wanted) / (1 + np.exp(-o)) * 127
    assert np.abs(states - h).max() < 0.5001
    assert (states[0] == round(127 * np.tanh(1))).all()


@pytest.mark.parametrize("relu", [False, True])
@pytest.mark.parametrize("size", [1, 5, 16, 100])
def test_quantisation(size, relu):
    random = np.random.default_rng(size)
    x = random.normal(0, 3, size).astype("f")
    x[0] = abs(x[0])

    def quantised():
        out = np.zeros(size, np.int8)
        return [out, np.float32(kernels.quantise(x, out, relu))]

    out, scale = on_all_sets(quantised)
    wanted = np.maximum(x, 0) if relu else x
    assert np.abs(out * scale - wanted).max() <= 0.5001 * scale
    assert np.abs(out).max() == 127


@pytest.mark.parametrize("values", [[0, 0, 0], [-1, -2, -0.0], [1e-40, 0, -1], [np.nan, 1, 2], [np.inf, 1, 2]])
def test_vectors_without_a_usable_maximum_become_zero(values):
    def quantised():
        out = np.ones(3, np.int8)
        return [out, np.float32(kernels.quantise(np.array(values, "f"), out, True))]

    out, scale = on_all_sets(quantised)
    assert not out.any()
    assert scale == 1


def test_rounding_is_to_nearest_even():
    out = np.zeros(6, np.int8)
    kernels.quantise(np.array([127, 0.5, 1.5, 2.5, -0.5, -1.5], "f"), out)
    assert out.tolist() == [127, 0, 2, 2, 0, -2]
