from array import array
from collections.abc import Callable, Iterable
from typing import Any

from gardenpath.queries.columns import Trees

class Matcher:
    def __init__(
        self, trees: Trees, allowed: bytes, injective: Iterable[bool], named: int, watch: Callable[[], None] | None
    ) -> None: ...
    def add_block(self, steps: Iterable[Any], checks: Iterable[Any], wanted: bool) -> None: ...
    def find(self, limit: int) -> array[int]: ...
