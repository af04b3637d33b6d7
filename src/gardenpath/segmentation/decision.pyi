import numpy as np
from numpy.typing import NDArray

from gardenpath.perceptron.growing import GrowingWeights
from gardenpath.perceptron.weights import Weights

BINARY_CLASSES: int

class Decision:
    def __init__(self, weights: Weights) -> None: ...

class Lesson(Decision):
    steps: int
    def __init__(
        self, weights: GrowingWeights, gold: NDArray[np.uint8], least: int, margin_of_ends: int, margin_of_others: int
    ) -> None: ...
