from collections.abc import Iterable, Sequence

from gardenpath.features.clusters import Clusters
from gardenpath.features.encoding import Batch, Encoder
from gardenpath.parsing.scorer import DraftEncoder, EncodedBatch, Scorer, Session
from gardenpath.perceptron.extractor import Extractor
from gardenpath.perceptron.weights import Weights
from gardenpath.systems.base import TransitionSystem
from gardenpath.systems.classes import Classes

class HashedBatch(EncodedBatch): ...

class Perceptron(Scorer):
    extractor: Extractor
    weights: Weights
    encoder: Encoder
    def __init__(
        self, system: TransitionSystem, classes: Classes, extractor: Extractor, weights: Weights,
        clusters: Clusters | None = None,
    ) -> None: ...
    def encode_tags(self, tags: Iterable[Sequence[str]]) -> Batch: ...

class PerceptronSession(Session):
    def __init__(self, scorer: Perceptron, batch: HashedBatch, is_contiguous: bool) -> None: ...

class HashedDraftEncoder(DraftEncoder):
    def __init__(self, scorer: Perceptron, tags: Iterable[Sequence[str]]) -> None: ...
