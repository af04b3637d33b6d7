from collections.abc import Sequence

from gardenpath.formats.document import Word
from gardenpath.neural.network import Tables
from gardenpath.neural.records import Records
from gardenpath.parsing.scorer import Scorer, Session, WordBatch
from gardenpath.systems.base import TransitionSystem
from gardenpath.systems.classes import Classes

class NetworkScorer(Scorer):
    renews_dependent: bool
    def __init__(self, system: TransitionSystem, classes: Classes) -> None: ...
    def tables(self, sentences: Sequence[Sequence[Word]]) -> Tables: ...

class NetworkSession(Session):
    scorer: NetworkScorer
    batch: WordBatch
    compositions: Records
    pushes: Records
    histories: Records
    lengths: list[int]
    def __init__(self, scorer: NetworkScorer, batch: WordBatch, slots: int, computes: bool = True) -> None: ...
