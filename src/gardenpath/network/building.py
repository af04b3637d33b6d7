"""Build a network from a model file."""

from __future__ import annotations

from itertools import chain

from gardenpath.core.stored import BadModelError, require, require_columns
from gardenpath.network.scorer import NativeNetwork
from gardenpath.parsing.scorers import StoredScorer


def build(stored: StoredScorer) -> NativeNetwork:
    """Return the network that a model file contains."""
    require(stored.record, {"tags": [(str, str, str)], "rules": [(int, int, str, int, str)]}, "the model")
    _check_parts(stored)
    require_columns(chain.from_iterable(stored.record["tags"]), "a column of a tag,")
    tags = [tuple(tag) for tag in stored.record["tags"]]
    return NativeNetwork(stored.system, stored.classes, tags, stored.record["rules"], stored.arrays)


def _check_parts(stored: StoredScorer) -> None:
    """Raise `BadModelError` if the file has more or fewer parts than its settings say.

    The encoder finds the number of networks and layers and the vectors by the names of the arrays.
    """
    settings, names = stored.settings, stored.arrays.keys()
    numbers = {name.split(".")[1] for name in names if name.startswith("network.")}
    if {number for number in numbers if number.isdigit()} != {str(2 + i) for i in range(settings.networks - 1)}:
        raise BadModelError(f"the file does not have {settings.networks} networks")
    layers = {part for part in numbers if part.startswith("layer")}
    if layers != {f"layer{number}" for number in range(1, settings.layers + 1)}:
        raise BadModelError(f"the network does not have {settings.layers} layers")
    for number in range(1, settings.layers + 1):
        if f"network.layer{number}.ahead.in" not in names:
            raise BadModelError(f"the network has no array 'network.layer{number}.ahead.in'")
    if ("network.vectors.keys" in names) != bool(settings.vectors):
        raise BadModelError("the network has word vectors that its settings do not have, or the reverse")
