from collections.abc import Sequence

from gardenpath.oracles.base import Oracle
from gardenpath.systems.base import Configuration

class Referee:
    def __init__(self, oracle: Oracle, heads: Sequence[int]) -> None: ...
    def judge(self, c: Configuration, made: str) -> list[tuple[str, int, str]]: ...
