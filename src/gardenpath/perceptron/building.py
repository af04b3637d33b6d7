"""Building a perceptron from a model file."""

from __future__ import annotations

from typing import Any

from gardenpath.core.storage import Arrays
from gardenpath.features.clusters import Clusters
from gardenpath.perceptron.extractor import Extractor
from gardenpath.perceptron.frozen import FrozenWeights
from gardenpath.perceptron.scorer import Perceptron
from gardenpath.systems import TransitionSystem
from gardenpath.systems.classes import Classes


def build(description: dict[str, Any], arrays: Arrays, system: TransitionSystem, classes: Classes, clusters: Clusters | None) -> Perceptron:
    """The perceptron of a model file."""
    weights = FrozenWeights(classes.size, arrays["parser.slots"], arrays["parser.rows"])
    if not weights.is_sound():
        raise ValueError("tables that fit together")
    return Perceptron(system, classes, Extractor(system, description["templates"], description["tag"]), weights, clusters)
