from gardenpath.perceptron.frozen import FrozenWeights
from gardenpath.perceptron.weights import Weights

LARGEST_WEIGHT: int

class GrowingWeights(Weights):
    features: int
    min_updates: int
    def __init__(self, classes: int, min_updates: int = 1) -> None: ...
    def freeze(self, steps: int, prune: float = 0) -> FrozenWeights: ...
