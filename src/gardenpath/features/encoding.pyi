from collections.abc import Iterable, Sequence

from gardenpath.features.clusters import Clusters
from gardenpath.formats.document import Word

class Batch:
    size: int

class Encoder:
    properties: tuple[str, ...]
    clusters: Clusters | None
    def __init__(self, properties: Iterable[str], clusters: Clusters | None = None) -> None: ...
    def encode(self, sentences: list[Sequence[Word]]) -> Batch: ...

def property_of(name: str, word: Word, clusters: Clusters | None = None) -> str: ...
