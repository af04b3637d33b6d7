from typing import Any

from gardenpath.perceptron.weights import Weights

class FrozenWeights(Weights):
    slots_array: Any
    rows_array: Any
    def __init__(self, classes: int, slots: Any, rows: Any) -> None: ...
    def is_sound(self) -> bool: ...
