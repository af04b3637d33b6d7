from collections.abc import Sequence

from gardenpath.formats.document import Word
from gardenpath.oracles.base import Oracle
from gardenpath.perceptron.trainer import Trainer
from gardenpath.search.greedy import GreedyParser

class BeamTrainer(Trainer):
    is_greedy: bool
    def __init__(
        self, parser: GreedyParser, oracle: Oracle, sentences: list[Sequence[Word]], trees: list[tuple[list[int], list[str]]], seed: int, margin: int = 0,
        width: int = 8, update: str = "max-violation",
    ) -> None: ...
