from gardenpath.parsing.scorer import EncodedBatch
from gardenpath.systems.base import TransitionSystem
from gardenpath.systems.classes import Classes

class Search:
    system: TransitionSystem
    classes: Classes
    batch: EncodedBatch
    single_root: bool
