import numpy as np
from numpy.typing import NDArray

ENDS: int
GOES_ON: int

class TokenEnds:
    rules_array: NDArray[np.uint8]
    exceptions_array: NDArray[np.uint64]
    spaces_inside: bool
    whole_addresses: bool
    def __init__(
        self, rules: NDArray[np.uint8], exceptions: NDArray[np.uint64], spaces_inside: bool, whole_addresses: bool
    ) -> None: ...
