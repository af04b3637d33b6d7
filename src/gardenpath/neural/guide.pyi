import numpy as np

from gardenpath.perceptron.training import Tree
from gardenpath.neural.board import Board
from gardenpath.neural.levels import Taken
from gardenpath.neural.rules import Rules
from gardenpath.oracles import Oracle

class Guide:
    rules: Rules
    oracle: Oracle
    def __init__(self, rules: Rules, oracle: Oracle, trees: list[Tree]) -> None: ...
    def derive(self, number: int) -> np.ndarray: ...

def unroll(board: Board, derivations: list[np.ndarray]) -> tuple[Taken, np.ndarray]: ...
