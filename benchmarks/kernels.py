"""How fast are int8 products, by instruction set, compared with float32 products of numpy's BLAS and of blis?

Each round measures all of them in turn on one core. A ratio is the median over the rounds of the speeds within a round.
"""

import argparse
import time
from collections.abc import Callable
from importlib.util import find_spec
from statistics import median

import common

# isort: split
import numpy as np  # after `common`, which limits BLAS to one thread

from gardenpath.network import kernels

SHAPES = ((500, 400, 1600), (75, 400, 800), (75, 200, 800), (1, 200, 800), (96, 400, 1500))
LEAST = 0.02                   # seconds of a measurement
Contestants = dict[str, Callable[[], object]]


def main() -> None:
    """Print one row per shape and implementation."""
    settings = _settings()
    common.header(
        "Matrix products on one core",
        "random numbers; rows x inputs -> outputs",
        f"{settings.rounds} rounds, in turns; G/s: 10^9 multiply-adds per second of CPU time, best round (median)",
        "int8: with scales and bias to float32; ratio to numpy: median of the ratios of the rounds",
        packages=("numpy", "blis"),
    )
    rows = []
    for shape in SHAPES:
        speeds = measured(contestants(*shape), shape, settings.rounds)
        for name, values in speeds.items():
            ratio = median(own / other for own, other in zip(values, speeds["float32, numpy"], strict=True))
            rows.append([
                "{} x {} -> {}".format(*shape), name, f"{max(values):.1f} ({median(values):.1f})", f"{ratio:.2f}",
            ])
    common.table(["shape", "product", "G/s", "ratio to numpy"], rows)


def _settings() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9, help="number of rounds")
    return parser.parse_args()


def contestants(count: int, inputs: int, outputs: int) -> Contestants:
    """Return a function per implementation that computes the product once."""
    random = np.random.default_rng(1)
    matrix = kernels.Matrix(random.integers(-127, 128, (outputs, inputs), dtype=np.int8), np.full(outputs, 0.01, "f"))
    x, scales = random.integers(-127, 128, (count, inputs), dtype=np.int8), np.full(count, 0.01, "f")
    out = np.zeros((count, outputs), "f")
    floats, weights = x.astype("f"), random.normal(0, 1, (inputs, outputs)).astype("f")

    def int8(name: str) -> Callable[[], object]:
        def multiply() -> None:
            kernels.use(name)
            matrix.product(x, scales, out=out)
        return multiply

    found: Contestants = {f"int8, {name}": int8(name) for name in kernels.available()}
    found["float32, numpy"] = lambda: np.dot(floats, weights, out=out)
    if find_spec("blis"):
        from blis.py import gemm

        found["float32, blis"] = lambda: gemm(floats, weights, out=out)
    return found


def measured(functions: Contestants, shape: tuple[int, int, int], rounds: int) -> dict[str, list[float]]:
    """Return the speeds of all rounds, in 10^9 multiply-adds per second."""
    best = kernels.used()
    speeds: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(rounds):
        for name, function in functions.items():
            speeds[name].append(shape[0] * shape[1] * shape[2] / _seconds(function) / 1e9)
    kernels.use(best)
    return speeds


def _seconds(function: Callable[[], object]) -> float:
    """Return the CPU seconds of one call, averaged over enough calls to be measured."""
    calls, spent = 1, 0.0
    while spent < LEAST:
        calls *= 2
        begin = time.process_time()
        for _ in range(calls):
            function()
        spent = time.process_time() - begin
    return spent / calls


if __name__ == "__main__":
    main()
