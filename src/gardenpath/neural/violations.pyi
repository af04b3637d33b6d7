from collections.abc import Sequence

import numpy as np

from gardenpath.formats.document import Word
from gardenpath.search.scorer import Scorer

def violations(scorer: Scorer, sentences: list[Sequence[Word]], width: int, derivations: list[np.ndarray]) -> list[int]: ...
