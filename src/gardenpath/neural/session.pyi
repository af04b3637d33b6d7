
from gardenpath.neural.records import Records
from gardenpath.search.scorer import Scorer, WordBatch
from gardenpath.systems import TransitionSystem
from gardenpath.systems.classes import Classes

class NetworkScorer(Scorer):
    renews_dependent: bool
    def __init__(self, system: TransitionSystem, classes: Classes) -> None: ...

class NetworkSession:
    scorer: NetworkScorer
    batch: WordBatch
    compositions: Records
    pushes: Records
    histories: Records
    lengths: list[int]
    def __init__(self, scorer: NetworkScorer, batch: WordBatch, slots: int, computes: bool = True) -> None: ...
