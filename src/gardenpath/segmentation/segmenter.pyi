from typing import Any

from gardenpath.core.storage import Arrays
from gardenpath.perceptron.frozen import FrozenWeights
from gardenpath.segmentation.expansion import Expansion
from gardenpath.segmentation.sentence_ends import SentenceEnds
from gardenpath.segmentation.token_ends import TokenEnds
from gardenpath.segmentation.tokenizer import Tokenizer

TOKENS: str
SENTENCES: str
EXPANSIONS: str

class Segmenter(Tokenizer):
    token_ends: TokenEnds
    sentence_ends: SentenceEnds
    expansion: Expansion
    weights: dict[str, FrozenWeights]
    def __init__(
        self, token_ends: TokenEnds, sentence_ends: SentenceEnds, expansion: Expansion,
        weights: dict[str, FrozenWeights],
    ) -> None: ...
    @staticmethod
    def build(record: dict[str, Any], arrays: Arrays) -> Segmenter: ...
