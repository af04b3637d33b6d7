from collections.abc import Mapping
from typing import Any

class Lexicon:
    keys_array: Any
    values_array: Any
    def __init__(self, keys: Any, values: Any) -> None: ...
    @staticmethod
    def of(entries: Mapping[int, int]) -> Lexicon: ...
