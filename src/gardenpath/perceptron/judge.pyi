from gardenpath.oracles.base import Oracle
from gardenpath.search.greedy import GreedyParser

class Judge:
    def __init__(self, parser: GreedyParser, oracle: Oracle) -> None: ...
