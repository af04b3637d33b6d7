from collections.abc import Callable, Sequence

import numpy as np

from gardenpath.formats.document import Word
from gardenpath.network.slots import SlotScorer
from gardenpath.oracles.base import Oracle
from gardenpath.parsing.scorer import WordBatch
from gardenpath.parsing.walk import TrainingWalk
from gardenpath.systems.base import Configuration, TransitionSystem
from gardenpath.systems.classes import Classes

class TableBatch(WordBatch):
    def __init__(self, sentences: list[list[Word]], table: np.ndarray) -> None: ...

class GivenScorer(SlotScorer):
    products: Callable[[list[list[Word]]], np.ndarray] | None
    def __init__(
        self, system: TransitionSystem, classes: Classes, hidden_size: int,
        products: Callable[[list[list[Word]]], np.ndarray] | None = None,
    ) -> None: ...
    def set_parameters(
        self, labels: np.ndarray, bias: np.ndarray, weights: np.ndarray, class_bias: np.ndarray,
    ) -> None: ...

class NetworkWalk(TrainingWalk):
    def __init__(
        self, scorer: GivenScorer, oracle: Oracle, sentences: list[list[Word]],
        trees: list[tuple[list[int], list[str]]], *, labels_all_arcs: bool = False,
    ) -> None: ...
    def record(
        self, order: Sequence[int], table: np.ndarray, explore: float,
        watch: Callable[[Configuration, list[int]], None] | None = None,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]: ...
    @property
    def accuracy(self) -> tuple[int, int]: ...
