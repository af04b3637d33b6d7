"""Building a perceptron from a model file."""

from __future__ import annotations

from gardenpath.perceptron.extractor import Extractor
from gardenpath.perceptron.frozen import FrozenWeights
from gardenpath.perceptron.scorer import Perceptron
from gardenpath.search.scorers import StoredScorer


def build(stored: StoredScorer) -> Perceptron:
    """The perceptron of a model file."""
    weights = FrozenWeights(stored.classes.size, stored.arrays["parser.slots"], stored.arrays["parser.rows"])
    if not weights.is_sound():
        raise ValueError("the weight tables of the parser are inconsistent")
    extractor = Extractor(stored.system, stored.record["templates"], stored.tag)
    return Perceptron(stored.system, stored.classes, extractor, weights, stored.clusters)
