from collections.abc import Sequence

from gardenpath.oracles.base import Oracle
from gardenpath.systems.base import Configuration

class PythonOracle(Oracle):
    def static(self, c: Configuration, gold: Sequence[int]) -> str: ...
