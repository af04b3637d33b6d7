
from gardenpath.systems.classes import Classes
from gardenpath.perceptron.extractor import Extractor
from gardenpath.perceptron.weights import Weights
from gardenpath.search.greedy import GreedyParser
from gardenpath.systems.base import TransitionSystem
from gardenpath.features.clusters import Clusters

class Beam:
    width: int
    def __init__(self, width: int, classes: int) -> None: ...

class BeamParser(GreedyParser):
    def __init__(
        self, system: TransitionSystem, classes: Classes, extractor: Extractor, weights: Weights, single_root: bool = True, nonprojective: str = "lift",
        width: int = 8, clusters: Clusters | None = None,
    ) -> None: ...
