"""Parsers with the features of a trained model and random weights for every class, and random sentences."""

from __future__ import annotations

from functools import cache

import numpy as np

import gardenpath as gp
from brute import REORDERING, ROOT_FIRST
from gardenpath.formats.document import Sentence, Word
from gardenpath.parsing.parser import Parser
from gardenpath.perceptron.frozen import FrozenWeights
from gardenpath.perceptron.scorer import Perceptron
from sample import TRAIN, trained

DENSE = 1 << 31     # in a slot and in the head of its row: a weight for every class follows


def randomised(model: gp.Model, seed: int, single_root: bool = True) -> gp.Model:
    """The model with every row of weights drawn anew; rows are dense, so that every feature speaks of every class.

    Odd seeds favour the first class, shift. Otherwise the many labelled classes nearly always win.
    """
    rng = np.random.default_rng(seed)
    classes, slots = model.parser.classes, np.array(model.parser.scorer.weights.slots_array)
    half, used = (classes.size + 15) // 16 * 8, slots != 0
    rows = np.empty((3000, half + 1), dtype=np.uint32)
    rows[:, 0] = DENSE | half
    drawn = rng.integers(-32000, 32000, (len(rows), 2 * half), dtype=np.int16)
    drawn[:, 0] //= 1 + seed % 2
    drawn[:, 0] += 8000 * (seed % 2)
    rows[:, 1:] = drawn.view(np.uint32)
    places = 1 + (half + 1) * rng.integers(0, len(rows), used.sum(), dtype=np.uint64)
    slots[used] = (slots[used] & np.uint64(0xFFFFFFFF00000000)) | places | np.uint64(DENSE)
    weights = FrozenWeights(classes.size, slots, np.concatenate([np.zeros(1, dtype=np.uint32), rows.ravel()]))
    assert weights.is_sound()
    scorer = Perceptron(model.parser.system, classes, model.parser.scorer.extractor, weights)
    return gp.Model(Parser(scorer, single_root), model.about)


@cache
def random_parser(system: str, seed: int, single_root: bool = True) -> gp.Model:
    """A model of a system that has root modes is in the one it was trained in."""
    several = system in ROOT_FIRST + REORDERING and not single_root
    return randomised(trained(system, single_root=False) if several else trained(system), seed, single_root)


@cache
def vocabulary() -> list[tuple[str, str, str, str]]:
    return [(word.form, word.upos, word.xpos, word.feats) for sentence in gp.read_conllu(TRAIN) for word in sentence]


def random_sentence(rng, n: int) -> Sentence:
    """Words of the sample in any order, their columns mixed."""
    words = []
    for i in range(1, n + 1):
        (form, _, _, feats), (_, upos, xpos, _) = rng.choice(vocabulary()), rng.choice(vocabulary())
        words.append(Word(i, form, "_", upos, xpos, feats))
    return Sentence(words)
