"""A corpus larger than a machine's memory: cut into shards, parsed by many workers, written part by part, and never done twice."""

from gardenpath.corpus.corpus import Corpus
from gardenpath.corpus.plan import Settings

__all__ = ["Corpus", "Settings"]
