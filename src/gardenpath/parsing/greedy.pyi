from gardenpath.parsing.base import Search
from gardenpath.parsing.scorer import EncodedBatch, Scorer

class Greedy(Search):
    def __init__(self, scorer: Scorer, batch: EncodedBatch, single_root: bool, size: int) -> None: ...
