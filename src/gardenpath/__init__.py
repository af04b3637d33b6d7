"""gardenpath: a dependency parser that can change its mind."""

from gardenpath import oracles, systems
from gardenpath.document import Document, EmptyNode, Sentence, Token, Word
from gardenpath.errors import GardenpathError, InputError, UsageError
from gardenpath.evaluation import evaluate
from gardenpath.formats.conllu import read_conllu, write_conllu
from gardenpath.formats.conllx import read_conllx
from gardenpath.learning.run import train
from gardenpath.models import Model, load

__version__ = "0.1.0"

__all__ = [
    "Document", "EmptyNode", "GardenpathError", "InputError", "Model", "Sentence", "Token", "UsageError", "Word",
    "evaluate", "load", "oracles", "read_conllu", "read_conllx", "systems", "train", "write_conllu",
]
