"""The registry of scorers: what the rest of the package knows about each of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from gardenpath.core.settings import SettingsPart
from gardenpath.errors import UsageError
from gardenpath.search.settings import ParserSettings


@dataclass(frozen=True)
class ScorerSettings(SettingsPart):
    """Base class of the settings of a scorer."""

    def completed(self, parser: ParserSettings) -> Self:
        """The settings with all values filled in that depend on the parser's settings."""
        return self

    def check(self, parser: ParserSettings) -> None:
        """Raise `UsageError` if these settings and the parser's do not go together."""

    def ineffective(self, parser: ParserSettings) -> dict[str, str]:
        """The settings that have no effect with this parser, each with the reason."""
        return {}


@dataclass(frozen=True)
class ScorerType:
    """A kind of scorer: its name, its settings and its traits."""

    name: str
    title: str                              # its name in a sentence: "the ..."
    settings: type[ScorerSettings]
    default_tags: str                       # the tags to learn from, unless the user chooses others
    needs_fixed_oracle: bool = False        # learns from derivations that are known in advance
    learns_with_tagger: bool = False        # can learn in the same epochs as a tagger
    uses_clusters: bool = False             # has features of word clusters
    has_checkpoints: bool = False           # training can be interrupted and resumed
    needs_torch: bool = False               # is trained and used with PyTorch


_SCORERS: dict[str, ScorerType] = {}


def register(scorer: ScorerType) -> None:
    """Register a scorer under its name, in this process."""
    if not isinstance(scorer, ScorerType):
        raise UsageError(f"{scorer!r} is not a scorer; register an object of the class ScorerType")
    if _SCORERS.get(scorer.name, scorer) != scorer:
        raise UsageError(f"there is already a scorer called {scorer.name}; give the new one another name")
    _SCORERS[scorer.name] = scorer


def names() -> list[str]:
    """The names of the registered scorers."""
    return list(_SCORERS)


def get(name: str) -> ScorerType:
    """The registered scorer of that name; raise `UsageError` if there is none."""
    if not isinstance(name, str) or name not in _SCORERS:
        raise UsageError(f"no scorer is called {name!r}; there are {', '.join(_SCORERS)}")
    return _SCORERS[name]
