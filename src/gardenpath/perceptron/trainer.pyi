from collections.abc import Sequence
from typing import Any

from gardenpath.features.encoding import Batch
from gardenpath.formats.document import Word
from gardenpath.oracles.base import Oracle
from gardenpath.parsing.walk import TrainingWalk
from gardenpath.perceptron.frozen import FrozenWeights
from gardenpath.perceptron.scorer import Perceptron

class PerceptronTrainer(TrainingWalk):
    scorer: Perceptron
    steps: int
    mistakes: int
    def __init__(
        self, scorer: Perceptron, oracle: Oracle, sentences: list[list[Word]],
        trees: list[tuple[list[int], list[str]]], is_contiguous: bool = True, *, seed: int, margin: float = 0,
        labels_all_arcs: bool = False,
    ) -> None: ...
    def retag(self, order: Sequence[int], tags: Batch, numbers: Any, first: Any) -> None: ...
    def freeze(self, prune: float = 0) -> FrozenWeights: ...
