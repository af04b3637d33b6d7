"""Parse a corpus larger than memory: split it into shards, parse them with many workers, resume after a stop."""

import warnings
from typing import Any

from gardenpath.corpus.corpus import Corpus
from gardenpath.corpus.plan import CorpusSettings

__all__ = ["Corpus", "CorpusSettings"]


def __getattr__(name: str) -> Any:
    if name == "Settings":
        message = "gardenpath.corpus.Settings is now called CorpusSettings; the old name will be removed"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return CorpusSettings
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
