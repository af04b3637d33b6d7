from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import numpy as np

from gardenpath.systems.classes import Classes
from gardenpath.features.encoding import Encoder
from gardenpath.formats.document import Word
from gardenpath.perceptron.extractor import Extractor
from gardenpath.perceptron.weights import Weights
from gardenpath.search.guides import Guide
from gardenpath.search.trace import TraceStep
from gardenpath.systems.base import TransitionSystem
from gardenpath.features.clusters import Clusters

Words = TypeVar("Words", bound=Sequence[Word])

class GreedyParser:
    system: TransitionSystem
    classes: Classes
    extractor: Extractor
    weights: Any
    encoder: Encoder
    single_root: bool
    width: int
    batch_words: int
    nonprojective: str
    def __init__(
        self, system: TransitionSystem, classes: Classes, extractor: Extractor, weights: Weights, single_root: bool = True, nonprojective: str = "lift",
        clusters: Clusters | None = None,
    ) -> None: ...
    def with_beam(self, width: int) -> GreedyParser: ...
    def trace(self, words: Sequence[Word], policy: bool = False, guide: Guide | None = None) -> Iterator[TraceStep]: ...
    def arrays(self) -> dict[str, np.ndarray]: ...
    def parse(self, sentences: list[Words]) -> list[Words]: ...
    def kbest(self, words: Sequence[Word], k: int) -> list[tuple[float, list[int], list[str]]]: ...
