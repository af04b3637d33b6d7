from collections.abc import Iterable, Mapping
from typing import Any

class Lexicon:
    keys_array: Any
    values_array: Any
    def __init__(self, keys: Any, values: Any) -> None: ...
    @staticmethod
    def of(entries: Mapping[int, int]) -> Lexicon: ...
    @staticmethod
    def of_words(words: Iterable[str]) -> Lexicon: ...
