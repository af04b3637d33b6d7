from typing import Any

from gardenpath.learning.frozen import FrozenWeights
from gardenpath.models.file import Arrays
from gardenpath.text.expansion import Expansion
from gardenpath.text.sentence_ends import SentenceEnds
from gardenpath.text.token_ends import TokenEnds
from gardenpath.text.tokenizer import Tokenizer

TOKENS: str
SENTENCES: str
EXPANSIONS: str

class Segmenter(Tokenizer):
    token_ends: TokenEnds
    sentence_ends: SentenceEnds
    expansion: Expansion
    weights: dict[str, FrozenWeights]
    def __init__(self, token_ends: TokenEnds, sentence_ends: SentenceEnds, expansion: Expansion, weights: dict[str, FrozenWeights]) -> None: ...
    @staticmethod
    def build(record: dict[str, Any], arrays: Arrays) -> Segmenter: ...
