from gardenpath.parsing.base import Search
from gardenpath.parsing.scorer import EncodedBatch, Scorer

class Beam(Search):
    width: int
    def __init__(
        self, scorer: Scorer, batch: EncodedBatch, single_root: bool, width: int, capacity: int = 1, extra: int = 0,
    ) -> None: ...
