"""gardenpath: a dependency parser that can change its mind."""

from gardenpath.document import Document, EmptyNode, Sentence, Token, Word
from gardenpath.errors import GardenpathError, InputError, UsageError
from gardenpath.evaluation import evaluate
from gardenpath.formats.conllu import read_conllu, write_conllu

__version__ = "0.1.0"

__all__ = [
    "Document", "EmptyNode", "GardenpathError", "InputError", "Sentence", "Token", "UsageError", "Word",
    "evaluate", "read_conllu", "write_conllu",
]
