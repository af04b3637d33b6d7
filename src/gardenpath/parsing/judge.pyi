from gardenpath.oracles import Oracle
from gardenpath.systems.classes import Classes

class Judge:
    oracle: Oracle
    def __init__(self, oracle: Oracle, classes: Classes, labels_all_arcs: bool = False) -> None: ...
