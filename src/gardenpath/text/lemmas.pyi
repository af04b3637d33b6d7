from collections.abc import Mapping
from typing import Any

from gardenpath.learning.weights import Weights
from gardenpath.models.file import Arrays
from gardenpath.text.edits import Edits
from gardenpath.text.lexicon import Lexicon
from gardenpath.text.window import Window

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
