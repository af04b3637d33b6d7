from collections.abc import Iterable, Sequence

from gardenpath.formats.document import Word
from gardenpath.features.clusters import Clusters

class Batch:
    size: int

class Encoder:
    properties: tuple[str, ...]
    clusters: Clusters | None
    def __init__(self, properties: Iterable[str], clusters: Clusters | None = None) -> None: ...
    def encode(self, sentences: list[Sequence[Word]]) -> Batch: ...
