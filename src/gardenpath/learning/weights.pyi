from typing import Any

class Weights:
    classes: int

class GrowingWeights(Weights):
    features: int
    min_updates: int
    def __init__(self, classes: int, min_updates: int = 1) -> None: ...
    def freeze(self, steps: int) -> FrozenWeights: ...

class FrozenWeights(Weights):
    slots_array: Any
    rows_array: Any
    def __init__(self, classes: int, slots: Any, rows: Any) -> None: ...
    def is_sound(self) -> bool: ...
