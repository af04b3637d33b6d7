import numpy as np

from gardenpath.formats.document import Word
from gardenpath.parsing.beam import Beam
from gardenpath.parsing.scorer import Scorer

class Violations(Beam): ...

def violations(
    scorer: Scorer, sentences: list[list[Word]], width: int, derivations: list[np.ndarray],
) -> list[int]: ...
