"""Tiny networks, trained in a fraction of a second."""

from __future__ import annotations

from functools import cache
from itertools import islice

import numpy as np

import gardenpath as gp
from gardenpath.formats.document import Sentence, Word
from gardenpath.models.settings import Settings
from gardenpath.models.training import best_of, training
from gardenpath.network.scorer import NativeNetwork
from gardenpath.parsing.parser import Parser
from sample import TRAIN

LONG = 300


def sentences(number: int, path=TRAIN) -> list[Sentence]:
    return list(islice(gp.read_conllu(path), number))


def settings(**changes) -> Settings:
    chosen = {"scorer": "network", "epochs": 1, "layers": 1, "hidden_size": 16, "tokenizer": "none"}
    return Settings.of(**chosen | changes)


def trained_on(train: list[Sentence], **changes) -> gp.Model:
    return best_of(training(train, None, settings(**changes)))


@cache
def tiny(system: str = "arc-eager", **changes) -> gp.Model:
    """Return a model that has seen twenty sentences once."""
    return trained_on(sentences(20), system=system, **changes)


def bytes_of(model: gp.Model, path) -> bytes:
    model.save(path)
    return path.read_bytes()


def randomised(model: gp.Model, seed: int, single_root: bool = True) -> Parser:
    """Return a parser with the encoder of a model and random weights above it.

    Odd seeds favour the first class, shift. Otherwise the many labelled classes nearly always win.
    """
    random = np.random.default_rng(seed)
    arrays = {name: np.asarray(array) for name, array in model.parser.scorer.arrays().items()}
    for name in ("special", "labels", "slot_bias", "output", "output_bias", "products.scale"):
        own = arrays[f"network.{name}"]
        arrays[f"network.{name}"] = random.normal(0, 1, own.shape).astype(np.float32)
    arrays["network.output_bias"][0] += 3 * (seed % 2)
    scorer = model.parser.scorer
    record = scorer.record()
    network = NativeNetwork(
        model.parser.system, model.parser.classes, [tuple(tag) for tag in record["tags"]], record["rules"], arrays
    )
    return Parser(network, single_root)


def words_of(forms) -> list[Word]:
    return [Word(i, form) for i, form in enumerate(forms, 1)]


def odd_sentences() -> list[list[Word]]:
    """Return sentences unlike those of any treebank."""
    known = [word.form for sentence in sentences(40) for word in sentence.words]
    return [words_of(forms) for forms in (
        ["x"], ["."], ["the"], ["the"] * 40, ["", "a", ""], ["a" * 5000], ["🎉", "e\u0301", "\u200d", "\ufeff"],
        ["New York", "a b c", "\u00a0"], ["ＦＵＬＬ", "ß", "ẞ", "İstanbul", "ŒUVRE"], ["\U0010ffff"],
        known[:LONG], ["zzz"] * LONG, [str(i) for i in range(100)],
    )]
