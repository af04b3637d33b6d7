from collections.abc import Mapping
from typing import Any

from gardenpath.core.lexicon import Lexicon
from gardenpath.core.storage import Arrays
from gardenpath.perceptron.weights import Weights
from gardenpath.tagging.edits import Edits
from gardenpath.tagging.window import Window

TEMPLATES: list[str]

class Lemmatizer:
    edits: Edits
    lexicon: Lexicon
    window: Window
    weights: Weights
    def __init__(self, edits: Edits, lexicon: Lexicon, window: Window, weights: Weights) -> None: ...
    def arrays(self) -> Arrays: ...
    def record(self) -> dict[str, Any]: ...
    @staticmethod
    def build(record: Mapping[str, Any], arrays: Arrays) -> Lemmatizer: ...
