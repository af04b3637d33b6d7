"""Does parsing end in a tree with any weights? Parse short sentences with random weights by all systems.

    python benchmarks/many_trees.py [--sentences 10000000] [--network 500000] [--seed 1]

The systems take turns. Each turn draws new weights and parses the random sentences of the system again, with the
perceptron, and for some of the turns with the network. Every result must be a tree with one root, and projective if the
system is. The first that is not ends the run, with the system, the seed of the weights and the heads.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import count
from pathlib import Path
from random import Random

import numpy as np

TESTS = Path(__file__).parents[1] / "tests"
sys.path[:0] = [str(TESTS), str(TESTS / "parsing"), str(TESTS / "network")]

import random_weights  # noqa: E402
import tiny  # noqa: E402

import common  # noqa: E402
import gardenpath as gp  # noqa: E402
from batched_trees import have_crossing, wrong_trees  # noqa: E402
from brute import Mode  # noqa: E402
from gardenpath.formats.document import Word  # noqa: E402
from gardenpath.parsing.parser import Parser  # noqa: E402
from sample import trained  # noqa: E402

TURN = 13_000           # sentences of a system for each seed
LONGEST = 12


@cache
def sentences(system: str) -> dict[int, list[list[Word]]]:
    """Return random sentences by length, the same number of each."""
    rng = Random(system)
    each = range(TURN // LONGEST + 1)
    return {n: [random_weights.random_sentence(rng, n).words for _ in each] for n in range(1, LONGEST + 1)}


def turn(system: str, seed: int, parser: Parser, crossing: Counter[str]) -> int:
    """Parse the sentences of a system and check the trees. Return the number of sentences."""
    parsed = 0
    for n, words in sentences(system).items():
        parser.parse(words)
        heads = np.fromiter((word.head for each in words for word in each), np.int64, n * len(words)).reshape(-1, n)
        crossed = have_crossing(heads)
        wrong = wrong_trees(heads) | (crossed & Mode(system).projective)
        if wrong.any():
            sys.exit(f"{system}, seed {seed}, {parser.scorer!r}: not a tree: {heads[wrong.argmax()].tolist()}")
        crossing[system] += int(crossed.sum())
        parsed += len(words)
    return parsed


@cache
def few_templates() -> str:
    """Return a file with few templates, which are several times as fast."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as file:
        file.write("S0p\nS0w\nS1p\nN0p\nN0w\nN1p\nS0p N0p\n")
    return file.name


def perceptron(system: str, seed: int) -> Parser:
    """Return a perceptron with random weights; one of eight has the template set of the system."""
    settings = {} if seed % 8 == 0 else {"features": few_templates()}
    return random_weights.randomised(trained(system, **settings), seed).parser


def network(system: str, seed: int) -> Parser:
    """Return a network with random weights; every second pair of seeds searches with a beam."""
    return tiny.randomised(tiny.tiny(system), seed).with_beam(1 if seed % 4 < 2 else 4)


def run(make: Callable[[str, int], Parser], total: int, first: int) -> tuple[Counter[str], Counter[str], int]:
    """Parse this number of sentences at least. Return their numbers, those with crossing arcs, and the next seed."""
    parsed, crossing = Counter[str](), Counter[str]()
    for seed in count(first):
        if parsed.total() >= total:
            return parsed, crossing, seed
        for system in gp.systems.names():
            parsed[system] += turn(system, seed, make(system, seed), crossing)
        common.say(f"{make.__name__}: {parsed.total():,} of {total:,} sentences")
    raise AssertionError


def main() -> None:
    """Parse sentences until there are enough, and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, default=10_000_000, help="sentences for the perceptron")
    parser.add_argument("--network", type=int, default=500_000, help="sentences for the network")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first turn; later turns count on")
    options = parser.parse_args()
    common.header("Trees with random weights", f"random sentences of 1 to {LONGEST} words of the sample treebank")
    rows = []
    for make, total in ((network, options.network), (perceptron, options.sentences)):
        parsed, crossing, end = run(make, total, options.seed)
        rows += [[make.__name__, name, f"{parsed[name]:,}", f"{crossing[name]:,}"] for name in parsed]
        seeds = f"seeds {options.seed} to {end - 1}"
        print(f"{make.__name__}: {parsed.total():,} sentences, all trees with one root; {seeds}")
    Path(few_templates()).unlink()
    common.table(["scorer", "system", "sentences", "with crossing arcs"], rows)


if __name__ == "__main__":
    main()
