"""Parse many short sentences with random weights, by all systems, and check that every result is a tree.

    PYTHONPATH=tests python tests/parsing/many_trees.py --sentences 10000000 --seed 1

The systems take turns; each turn draws new weights and parses the same kind of random sentences. The first result that
is not a tree ends the run, with the system, the seed of the weights and the heads.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from itertools import count
from random import Random

from random_weights import random_sentence, randomised

import gardenpath as gp
from gardenpath.trees import is_tree
from sample import trained

TURN = 5_000        # sentences for each system before the weights are drawn anew
LONGEST = 8


def turn(system: str, seed: int) -> Counter[bool]:
    """Parse the sentences of one turn, and return how many have crossing arcs."""
    rng, model = Random(f"{system} {seed}"), randomised(trained(system), seed)
    crossing: Counter[bool] = Counter()
    for sentence in model.parse([random_sentence(rng, rng.randint(1, LONGEST)) for _ in range(TURN)]):
        heads = sentence.heads
        if not is_tree(heads):
            sys.exit(f"{system}, seed {seed}: not a tree: {heads}")
        crossing[not gp.trees.is_projective(heads)] += 1
    return crossing


def main() -> None:
    """Parse sentences until there are enough or the time is up, and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, default=1_000_000, help="sentences of all systems together")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="end after this time")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first turn; later turns count on")
    options = parser.parse_args()
    end = time.monotonic() + options.seconds
    sentences, crossing = Counter[str](), Counter[str]()
    for seed in count(options.seed):
        for system in gp.systems.names():
            if sentences.total() >= options.sentences or time.monotonic() > end:
                seeds = f"seeds from {options.seed} on"
                print(f"{sentences.total():,} sentences of 1 to {LONGEST} words, all trees; {seeds}")
                for name in sentences:
                    print(f"  {name}: {sentences[name]:,}, with crossing arcs {crossing[name]:,}")
                return
            found = turn(system, seed)
            sentences[system] += found.total()
            crossing[system] += found[True]


if __name__ == "__main__":
    main()
