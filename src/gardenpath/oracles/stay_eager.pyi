from collections.abc import Sequence

from gardenpath.oracles.base import Oracle
from gardenpath.systems.base import Configuration, TransitionSystem

POSTPONE: float

class StayEagerOracle(Oracle):
    def __init__(
        self, system: TransitionSystem, kind: str = "dynamic", prefer: str = "repair-last", postpone: float = ...,
    ) -> None: ...
    def policy(self, c: Configuration, gold: Sequence[int]) -> str: ...
    def upper(self, c: Configuration, gold: Sequence[int]) -> int: ...
