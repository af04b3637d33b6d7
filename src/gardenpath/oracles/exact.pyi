from collections.abc import Sequence

from gardenpath.oracles.base import Oracle
from gardenpath.systems.base import Configuration

class ExactOracle(Oracle):
    def value(self, c: Configuration, gold: Sequence[int]) -> int: ...
