"""The scorers of this package, and those of other packages: entry points of the group `gardenpath.scorers`."""

from __future__ import annotations

from gardenpath import network, neural, perceptron, plugins
from gardenpath.errors import UsageError
from gardenpath.parsing import scorers
from gardenpath.parsing.scorers import ScorerType, names

__all__ = ["BUILT_IN", "DEFAULT", "GROUP", "get", "names"]

GROUP = "gardenpath.scorers"
BUILT_IN = (perceptron.SCORER, network.SCORER, neural.SCORER)
DEFAULT = perceptron.SCORER

for _scorer in BUILT_IN:
    scorers.register(_scorer)


def get(name: str) -> ScorerType:
    """Return the scorer of that name. If it is not registered, look for it in code files and entry points."""
    if isinstance(name, str) and name not in names():
        plugins.find(GROUP, name, lambda entry, scorer: scorers.register(_checked(entry, scorer)))
    return scorers.get(name)


def _checked(name: str, scorer: object) -> ScorerType:
    if not isinstance(scorer, ScorerType) or scorer.name != name:
        raise UsageError(f"the entry point {name!r} of {GROUP} must be a ScorerType of that name, not {scorer!r}")
    return scorer
