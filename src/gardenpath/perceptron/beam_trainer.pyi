from gardenpath.formats.document import Word
from gardenpath.oracles.base import Oracle
from gardenpath.parsing.beam import Beam
from gardenpath.perceptron.scorer import Perceptron
from gardenpath.perceptron.trainer import PerceptronTrainer

class JudgedBeam(Beam): ...

class BeamTrainer(PerceptronTrainer):
    is_greedy: bool
    def __init__(
        self, scorer: Perceptron, oracle: Oracle, sentences: list[list[Word]],
        trees: list[tuple[list[int], list[str]]], is_contiguous: bool = False, *, seed: int, margin: float = 0,
        width: int = 8, update: str = "max-violation", labels_all_arcs: bool = False,
    ) -> None: ...
