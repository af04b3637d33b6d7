"""Search for the best parse: greedy or with a beam, over any scorer."""

from gardenpath.parsing.parser import Parser, checked_width
from gardenpath.parsing.scorer import Scorer

__all__ = ["Parser", "Scorer", "checked_width"]
