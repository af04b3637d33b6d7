"""Building a stack-LSTM from a model file."""

from __future__ import annotations

from typing import Any

from gardenpath.core.storage import Arrays
from gardenpath.features.clusters import Clusters
from gardenpath.neural.scorer import PREFIX, StackLSTM
from gardenpath.neural.symbols import Symbols
from gardenpath.systems import TransitionSystem
from gardenpath.systems.classes import Classes


def build(description: dict[str, Any], arrays: Arrays, system: TransitionSystem, classes: Classes, clusters: Clusters | None) -> StackLSTM:
    """The stack-LSTM of a model file; `LookupError` and `ValueError` name what is missing or wrong."""
    scorer = StackLSTM.untrained(system, classes, Symbols(description["symbols"]), description["settings"]["encoder"])
    return scorer.with_parameters({name.removeprefix(PREFIX): array for name, array in arrays.items() if name.startswith(PREFIX)})
