from collections.abc import Sequence

import numpy as np

from gardenpath.formats.document import Word
from gardenpath.neural.records import Records
from gardenpath.neural.session import NetworkScorer, NetworkSession
from gardenpath.oracles import Oracle
from gardenpath.search.scorer import Scorer

class OracleDerivations:
    def derive(self, number: int) -> np.ndarray: ...
    def reseed(self, seed: int) -> None: ...

def oracle_derivations(
    scorer: Scorer, oracle: Oracle, sentences: list[Sequence[Word]], trees: list[tuple[list[int], list[str]]],
) -> OracleDerivations: ...

class Unrolled:
    recorded: NetworkSession
    steps: Records
    valid: np.ndarray
    def __init__(self, scorer: NetworkScorer, sentences: list[Sequence[Word]], derivations: list[np.ndarray]) -> None: ...
