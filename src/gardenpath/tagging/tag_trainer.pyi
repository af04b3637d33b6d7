from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gardenpath.features.clusters import Clusters
from gardenpath.formats.document import Word
from gardenpath.tagging.tagger import Tagger

PASSES: int
MARGIN: int
MIN_UPDATES: int

class TagTrainer:
    tagger: Tagger
    steps: int
    mistakes: int
    predicted: NDArray[np.int32]
    first_word: NDArray[np.int32]
    def __init__(
        self, sentences: Sequence[Sequence[Word]], seed: int = 1, margin: int = ..., min_updates: int = ...,
        clusters: Clusters | None = None,
    ) -> None: ...
    @property
    def tags(self) -> list[tuple[str, str, str]]: ...
    def train(self, order: Sequence[int]) -> None: ...
    def freeze(self, prune: float = 0) -> Tagger: ...

def train_tagger(
    sentences: Sequence[Sequence[Word]], passes: int = ..., seed: int = 1, prune: float = 0,
    clusters: Clusters | None = None,
) -> Tagger: ...
def jackknifed(
    sentences: Sequence[Sequence[Word]], folds: int, passes: int = ..., seed: int = 1, clusters: Clusters | None = None,
) -> NDArray[np.int32]: ...
