from collections.abc import Callable, Sequence

from gardenpath.formats.document import Word
from gardenpath.oracles.base import Oracle
from gardenpath.parsing.base import Search
from gardenpath.parsing.scorer import Scorer
from gardenpath.systems.base import Configuration
from gardenpath.systems.classes import Classes

class GoldTrees:
    size: int
    def __init__(self, classes: Classes, trees: list[tuple[list[int], list[str]]]) -> None: ...

class TrainingWalk(Search):
    def __init__(
        self, scorer: Scorer, oracle: Oracle, sentences: list[list[Word]], trees: list[tuple[list[int], list[str]]],
        is_contiguous: bool = True, *, labels_all_arcs: bool = False,
    ) -> None: ...
    def reseed(self, seed: int) -> None: ...
    def train(
        self, order: Sequence[int], explore: float, watch: Callable[[Configuration, list[int]], None] | None = None,
    ) -> None: ...
