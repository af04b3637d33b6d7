"""The arrays of a trained network in a model file: matrices as 8-bit integers with a scale for each row."""

from __future__ import annotations

import numpy as np
from torch import nn

from gardenpath.core.lexicon import Lexicon
from gardenpath.core.membership import BloomFilter
from gardenpath.core.storage import Arrays
from gardenpath.features.vectors import Vectors, quantised
from gardenpath.network.module import NetworkModule
from gardenpath.network.scorer import lemma_key
from gardenpath.network.vocabulary import Vocabulary

PREFIX = "network."


def arrays_of(net: NetworkModule, vocabulary: Vocabulary, vectors: Vectors | None) -> Arrays:
    """Return the arrays of a network, by their names in a model file."""
    named: dict[str, np.ndarray] = {}
    parameters = {name: parameter.detach().cpu().numpy() for name, parameter in net.named_parameters()}

    def add_matrix(name: str, matrix: np.ndarray) -> None:
        named[name], named[f"{name}.scale"] = quantised(matrix)

    named["characters"] = np.array([ord(character) for character in vocabulary.characters], np.uint32)
    named["character_vectors"] = parameters["words.characters.weight"]
    _add_lstm(named, "spelling", net.words.spelling)
    named |= _lexicon("forms", vocabulary.forms)
    add_matrix("form_vectors", parameters["words.forms.weight"])
    if vectors is not None:
        named |= _lexicon("vectors", vectors.words)
        add_matrix("vectors.rows", np.concatenate([np.zeros((1, vectors.dimension), np.float32), vectors.rows]))
        add_matrix("vectors.weight", parameters["words.vectors.weight"])
    add_matrix("spelt", parameters["words.spelt.weight"])
    named["word_bias"] = parameters["words.spelt.bias"]
    for number, layer in enumerate(net.context, 1):
        assert isinstance(layer, nn.LSTM)
        _add_lstm(named, f"layer{number}", layer)
    states = 2 * net.sizes.hidden
    add_matrix("heads.state", parameters["heads.weight"][:, :states])
    add_matrix("heads.word", parameters["heads.weight"][:, states:])
    named["heads.bias"] = parameters["heads.bias"]
    members = [[tag, *(len(vocabulary.tags) + part for part in parts)] for tag, parts in enumerate(vocabulary.parts)]
    named["tag_parts"] = np.array([part for each in members for part in each], np.uint32)
    named["tag_ends"] = np.cumsum([len(each) for each in members]).astype(np.uint32)
    named["tag_inputs"] = parameters["tag_inputs"] + net.tag_matrix.cpu().numpy() @ parameters["part_inputs"]
    if parameters["part_rules"].size:
        add_matrix("rule_inputs", parameters["part_rules"])
    add_matrix("products", parameters["products.weight"])
    lemmas = Lexicon.of({lemma_key(*pair): rule + 1 for pair, rule in vocabulary.lemmas.items()})
    named["lemmas.keys"], named["lemmas.values"] = np.asarray(lemmas.keys_array), np.asarray(lemmas.values_array)
    named["lemmas.known"] = np.asarray(BloomFilter.of(vocabulary.known_lemmas).words_array)
    for name in ("special", "labels", "slot_bias", "output", "output_bias"):
        named[name] = parameters[name]
    return {PREFIX + name: np.ascontiguousarray(array) for name, array in named.items()}


def _add_lstm(named: dict[str, np.ndarray], name: str, lstm: nn.LSTM) -> None:
    for direction, end in (("ahead", ""), ("back", "_reverse")):
        weights = {
            kind: getattr(lstm, f"{kind}_l0{end}").detach().cpu().numpy()
            for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        }
        for part, kind in (("in", "weight_ih"), ("back", "weight_hh")):
            key = f"{name}.{direction}.{part}"
            named[key], named[f"{key}.scale"] = quantised(weights[kind])
        named[f"{name}.{direction}.bias"] = weights["bias_ih"] + weights["bias_hh"]


def _lexicon(name: str, words: list[str]) -> dict[str, np.ndarray]:
    """Return the arrays of a lexicon that maps words to their numbers, from 1."""
    lexicon = Lexicon.of_words(words)
    return {f"{name}.keys": np.asarray(lexicon.keys_array), f"{name}.values": np.asarray(lexicon.values_array)}
