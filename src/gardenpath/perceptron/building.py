"""Building a perceptron from a model file."""

from __future__ import annotations

from gardenpath.core.stored import BadModelError, reading, require, require_arrays, weight_tables
from gardenpath.parsing.scorers import StoredScorer
from gardenpath.perceptron.extractor import Extractor
from gardenpath.perceptron.frozen import FrozenWeights
from gardenpath.perceptron.scorer import Perceptron


def build(stored: StoredScorer) -> Perceptron:
    """The perceptron of a model file."""
    require(stored.record, {"templates": [str]}, "the model")
    require_arrays(stored.arrays, weight_tables(["parser."]), "the parser")
    weights = FrozenWeights(stored.classes.size, stored.arrays["parser.slots"], stored.arrays["parser.rows"])
    if not weights.is_sound():
        raise BadModelError("the weight tables of the parser are inconsistent")
    with reading("its templates"):
        extractor = Extractor(stored.system, stored.record["templates"], stored.tag)
    return Perceptron(stored.system, stored.classes, extractor, weights, stored.clusters)
