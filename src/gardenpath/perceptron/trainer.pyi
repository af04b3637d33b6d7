from collections.abc import Callable, Sequence
from typing import Any

from gardenpath.features.encoding import Batch
from gardenpath.formats.document import Word
from gardenpath.oracles.base import Oracle
from gardenpath.perceptron.frozen import FrozenWeights
from gardenpath.search.greedy import GreedyParser
from gardenpath.systems.base import Configuration

class Trainer:
    parser: GreedyParser
    steps: int
    mistakes: int
    def __init__(
        self, parser: GreedyParser, oracle: Oracle, sentences: list[Sequence[Word]], trees: list[tuple[list[int], list[str]]], seed: int, margin: int = 0,
    ) -> None: ...
    def train(self, order: Sequence[int], explore: float, watch: Callable[[Configuration, list[int]], None] | None = None) -> None: ...
    def retag(self, order: Sequence[int], tags: Batch, numbers: Any, first: Any) -> None: ...
    def freeze(self, prune: float = 0) -> FrozenWeights: ...
