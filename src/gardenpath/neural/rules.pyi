from gardenpath.systems.classes import Classes
from gardenpath.systems.base import TransitionSystem

class Rules:
    system: TransitionSystem
    classes: Classes
    both_ends: bool
    def __init__(self, system: TransitionSystem, classes: Classes) -> None: ...
