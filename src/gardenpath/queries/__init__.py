"""Search for constructions in trees, with the patterns of Grew-match (docs/search.md)."""

from gardenpath.queries.errors import PatternError
from gardenpath.queries.index import Index
from gardenpath.queries.match import Edge, Match
from gardenpath.queries.pattern import Pattern
from gardenpath.queries.searching import Matches, search

__all__ = ["Edge", "Index", "Match", "Matches", "Pattern", "PatternError", "search"]
