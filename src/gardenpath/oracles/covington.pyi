from gardenpath.oracles.base import Oracle
from gardenpath.systems.base import TransitionSystem

BOUNDS: tuple[str, ...]
MOST_LOOKAHEAD: int

class CovingtonOracle(Oracle): ...

class BoundOracle(CovingtonOracle):
    lookahead: int
    def __init__(
        self, system: TransitionSystem, kind: str = "dynamic", prefer: str = "repair-last", lookahead: int = 0,
    ) -> None: ...
