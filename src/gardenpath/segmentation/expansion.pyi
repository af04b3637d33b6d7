from typing import Any

import numpy as np
from numpy.typing import NDArray

class Expansion:
    rules: list[list[Any]]
    endings_array: NDArray[np.uint8]
    def __init__(self, rules: list[list[Any]], endings: NDArray[np.uint8]) -> None: ...
