from gardenpath.parsing.scorer import EncodedBatch, Scorer, Session
from gardenpath.systems.base import TransitionSystem
from gardenpath.systems.classes import Classes

def rounded_up(size: int) -> int: ...

class SlotScorer(Scorer):
    slots: int
    hidden_size: int
    columns: int
    def __init__(self, system: TransitionSystem, classes: Classes, hidden_size: int) -> None: ...

class SlotSession(Session):
    def __init__(self, scorer: SlotScorer, batch: EncodedBatch) -> None: ...
