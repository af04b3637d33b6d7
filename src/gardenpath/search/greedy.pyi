from collections.abc import Sequence
from typing import Any, TypeVar

from gardenpath.core.classes import Classes
from gardenpath.core.encoding import Encoder
from gardenpath.document import Word
from gardenpath.features.extractor import Extractor
from gardenpath.learning.weights import Weights
from gardenpath.systems.base import TransitionSystem

Words = TypeVar("Words", bound=Sequence[Word])

class GreedyParser:
    system: TransitionSystem
    classes: Classes
    extractor: Extractor
    weights: Any
    encoder: Encoder
    single_root: bool
    nonprojective: str
    def __init__(
        self, system: TransitionSystem, classes: Classes, extractor: Extractor, weights: Weights, single_root: bool = True, nonprojective: str = "lift",
    ) -> None: ...
    def parse(self, sentences: list[Words]) -> list[Words]: ...
