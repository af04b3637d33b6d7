from collections.abc import Iterable, Sequence

from gardenpath.document import Word

class Batch:
    size: int

class Encoder:
    properties: tuple[str, ...]
    def __init__(self, properties: Iterable[str]) -> None: ...
    def encode(self, sentences: list[Sequence[Word]]) -> Batch: ...
