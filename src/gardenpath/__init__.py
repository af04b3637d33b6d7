"""gardenpath: a dependency parser for Universal Dependencies."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gardenpath.version import __version__ as __version__

if TYPE_CHECKING:
    from gardenpath import oracles, systems
    from gardenpath.errors import GardenpathError, GardenpathWarning, InputError, UsageError
    from gardenpath.evaluation import compare, diff, evaluate
    from gardenpath.formats.arrow import read_parquet, write_parquet
    from gardenpath.formats.confidence import Confidence
    from gardenpath.formats.conllu import read_conllu, write_conllu
    from gardenpath.formats.conllup import read_conllup
    from gardenpath.formats.conllx import read_conllx
    from gardenpath.formats.document import Document, EmptyNode, Sentence, Token, Word
    from gardenpath.formats.features import Features
    from gardenpath.formats.registry import write_table
    from gardenpath.formats.span import Span
    from gardenpath.models import Model, load
    from gardenpath.models.training import train
    from gardenpath.queries import Match, search


__all__ = [
    "Confidence", "Document", "EmptyNode", "Features", "GardenpathError", "GardenpathWarning", "InputError", "Match",
    "Model", "Sentence", "Span", "Token", "UsageError", "Word", "compare", "diff", "evaluate", "load", "oracles",
    "read_conllu", "read_conllup", "read_conllx", "read_parquet", "search", "systems", "train", "write_conllu",
    "write_parquet", "write_table",
]

# The modules of the names. Each is imported when the name is first used, so that parsing does not load training code.
_HOMES = {
    "errors": ("GardenpathError", "GardenpathWarning", "InputError", "UsageError"),
    "evaluation": ("compare", "diff", "evaluate"),
    "formats.arrow": ("read_parquet", "write_parquet"),
    "formats.confidence": ("Confidence",),
    "formats.conllu": ("read_conllu", "write_conllu"),
    "formats.conllup": ("read_conllup",),
    "formats.conllx": ("read_conllx",),
    "formats.document": ("Document", "EmptyNode", "Sentence", "Token", "Word"),
    "formats.features": ("Features",),
    "formats.registry": ("write_table",),
    "formats.span": ("Span",),
    "models": ("Model", "load"),
    "models.training": ("train",),
    "queries": ("Match", "search"),
}
_PARTS = ("evaluation", "treebank")      # packages that are public as a whole, besides `oracles` and `systems`
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        value = getattr(import_module(f"gardenpath.{_HOME_OF[name]}"), name)
    else:
        try:
            value = import_module(f"gardenpath.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"gardenpath.{name}":
                raise
            raise AttributeError(f"module 'gardenpath' has no attribute {name!r}") from None
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, *_PARTS, *(name for name in globals() if name.startswith("__"))})
