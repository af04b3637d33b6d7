"""gardenpath: a dependency parser that can change its mind."""

from gardenpath.errors import GardenpathError, InputError, UsageError  # isort: skip

__version__ = "0.1.0"

from gardenpath import oracles, systems
from gardenpath.document import Document, EmptyNode, Sentence, Token, Word
from gardenpath.evaluation import evaluate
from gardenpath.formats.conllu import read_conllu, write_conllu
from gardenpath.formats.conllx import read_conllx
from gardenpath.models import Model, load
from gardenpath.learning.run import train

__all__ = [
    "Document", "EmptyNode", "GardenpathError", "InputError", "Model", "Sentence", "Token", "UsageError", "Word",
    "evaluate", "load", "oracles", "read_conllu", "read_conllx", "systems", "train", "write_conllu",
]
