import numpy as np
from numpy.typing import NDArray

class SentenceEnds:
    rules_array: NDArray[np.uint8]
    def __init__(self, rules: NDArray[np.uint8]) -> None: ...
