from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gardenpath.core.storage import Arrays
from gardenpath.formats.document import Sentence
from gardenpath.segmentation.tokenizer import Tokenizer

OPTIONS: str

class UdpipeTokenizer(Tokenizer):
    model_array: NDArray[np.uint8]
    def __init__(self, model_array: NDArray[np.uint8], *, trusted: bool = False) -> None: ...
    @staticmethod
    def train(
        sentences: Iterable[Sentence], dev: Iterable[Sentence] | None = None, *, options: str | None = None
    ) -> UdpipeTokenizer: ...
    @staticmethod
    def build(record: dict[str, Any], arrays: Arrays) -> UdpipeTokenizer: ...
