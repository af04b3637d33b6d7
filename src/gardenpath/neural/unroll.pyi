import numpy as np

from gardenpath.formats.document import Word
from gardenpath.neural.records import Records
from gardenpath.neural.session import NetworkScorer, NetworkSession
from gardenpath.oracles.base import Oracle
from gardenpath.parsing.base import Search
from gardenpath.parsing.scorer import Scorer
from gardenpath.parsing.walk import TrainingWalk

class OracleDerivations(TrainingWalk):
    def derive(self, number: int) -> np.ndarray: ...

def oracle_derivations(
    scorer: Scorer, oracle: Oracle, sentences: list[list[Word]], trees: list[tuple[list[int], list[str]]],
) -> OracleDerivations: ...

class Unrolled(Search):
    recorded: NetworkSession
    steps: Records
    valid: np.ndarray
    def __init__(self, scorer: NetworkScorer, sentences: list[list[Word]], derivations: list[np.ndarray]) -> None: ...
