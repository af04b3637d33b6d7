"""The registry of scorers, with the information that other packages need about each scorer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from gardenpath.core.settings import SettingsPart
from gardenpath.errors import UsageError
from gardenpath.parsing.settings import PARSER_DEFAULTS, ParserDefaults, ParserSettings

if TYPE_CHECKING:
    from gardenpath.core.storage import Arrays
    from gardenpath.parsing.scorer import Scorer
    from gardenpath.parsing.training import TrainingStep, TrainingTask
    from gardenpath.systems import TransitionSystem
    from gardenpath.systems.classes import Classes


@dataclass(frozen=True)
class ScorerSettings(SettingsPart):
    """Base class of the settings of a scorer."""

    def completed(self, parser: ParserSettings) -> Self:
        """The settings with all values filled in that depend on the parser's settings."""
        return self

    @property
    def tagger_prune(self) -> float:
        """The share of the weights to leave out of a tagger that is trained with the scorer."""
        return 0.0

    def check(self, parser: ParserSettings) -> None:
        """Raise `UsageError` if these settings are not compatible with the parser's settings."""

    def ineffective(self, parser: ParserSettings) -> dict[str, str]:
        """The settings that have no effect with this parser, each with the reason."""
        return {}


def _nothing() -> None:
    """Do nothing: a native scorer has no threads of its own."""


def _ten(words: int) -> int:
    """Return a number of epochs that does not depend on the size of the treebank."""
    return 10


@dataclass(frozen=True, slots=True)
class StoredScorer:
    """The data of a scorer in a model file, from which `ScorerType.build` makes the scorer."""

    system: TransitionSystem
    classes: Classes
    settings: Any                           # of the scorer
    record: dict[str, Any]                  # plain values, as `Scorer.record` wrote them
    arrays: Arrays
    tag: str                                # the column of the tags: xpos or upos
    clusters: Any = None                    # the word clusters of the model, if it has any


@dataclass(frozen=True)
class ScorerType:
    """A kind of scorer: its name, its settings, how it is trained and built, and its traits."""

    name: str
    title: str                              # its name in a sentence: "the ..."
    settings: type[ScorerSettings]
    train: Callable[[TrainingTask], Iterator[TrainingStep]]
    build: Callable[[StoredScorer], Scorer]         # raises `BadModel` if the file is invalid
    default_tags: str = "jackknife"         # the tags to learn from, unless the user chooses others
    needs_fixed_oracle: bool = False        # learns from derivations that are known in advance
    parser_defaults: ParserDefaults = PARSER_DEFAULTS
    learns_with_tagger: bool = False        # can learn in the same epochs as a tagger
    has_tagger: bool = False                # predicts tags and lemmas itself, so it needs no other tagger
    uses_clusters: bool = False             # has features of word clusters
    has_checkpoints: bool = False           # training can be interrupted and resumed
    needs_torch: bool = False               # is trained with PyTorch
    runs_natively: bool = True              # is used without PyTorch
    relative_time: float | None = None      # training time, if it does not depend on the system
    beam_time: float = 1.0                  # training time with a beam, relative to greedy training
    use_one_thread: Callable[[], None] = _nothing      # called in each worker process, which has one core
    epochs_for: Callable[[int], int] = _ten            # the default number of epochs, by words of the treebank


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
