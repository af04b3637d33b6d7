from collections.abc import Sequence

from gardenpath.oracles.base import Oracle
from gardenpath.systems.base import Configuration, TransitionSystem

BUDGET: int

class SearchOracle(Oracle):
    budget: int
    opened: int
    def __init__(
        self, system: TransitionSystem, kind: str = "exact", prefer: str = "repair-last", budget: int = ...,
    ) -> None: ...
    def between(self, c: Configuration, gold: Sequence[int]) -> tuple[int, int]: ...
