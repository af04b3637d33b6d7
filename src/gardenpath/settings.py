"""What the user chose for training."""

from __future__ import annotations

import operator
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from gardenpath import oracles, systems
from gardenpath.errors import UsageError
from gardenpath.features.templates import AUTO
from gardenpath.oracles.covington import MOST_LOOKAHEAD
from gardenpath.pseudo import ENCODINGS

LARGE = 1_000_000
BOUNDS = {
    "passes": (1, LARGE), "seed": (0, 2**64 - 1), "margin": (0, LARGE), "min_updates": (1, 255), "explore_from": (1, LARGE), "lookahead": (0, MOST_LOOKAHEAD),
}
DEFAULT_SYSTEM = "arc-eager-unshift"
NONPROJECTIVE = ("lift", "skip", *ENCODINGS)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a training run; they are stored in the model.

    `oracle` is `static` (one canonical move, followed), `nondet` (all optimal moves on gold paths) or `dynamic` (from any configuration: with it, a wrong
    prediction is followed with probability `explore` from pass `explore_from` on); covington-nm also has `lower`, `pc-upper`, `upper` and `lower-strict`,
    dynamic ones that go by a bound of the loss, `pc-upper` with `lookahead` so many moves ahead. `tag` is the column that templates call `p`: `xpos`, `upos`,
    or `auto` for XPOS where the treebank has a usable one. A right decision that leads by less than `margin` is learnt from too, and a feature counts from its
    `min_updates`-th update on; 0 and 1 are the plain averaged perceptron of the papers. `features` is a template set or a file; `auto` is the system's own.
    `nonprojective` says what to learn from a tree that the system cannot build: the tree with its crossing arcs lifted (`lift`), nothing (`skip`), or the
    lifted tree with labels that say so, in the encoding `head`, `path` or `head+path`: these arcs are lowered again in parses. `prefer` says which of several
    optimal moves to learn from; `auto` is what did best on dev sets: `gold-first` for attardi, whose arcs can often be put off, `repair-last` for all others.
    """

    system: str = DEFAULT_SYSTEM
    oracle: str = "dynamic"
    features: str = AUTO
    passes: int = 10
    seed: int = 1
    margin: int = 100
    min_updates: int = 3
    explore_from: int = 1
    explore: float = 1.0
    prefer: str = AUTO
    lookahead: int = 0
    tag: str = "auto"
    nonprojective: str = "lift"
    single_root: bool = True
    labelled_reduce: bool = False
    separate_unshift: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "features", os.fspath(self.features))
        for name, (least, most) in BOUNDS.items():
            self._make_whole(name, least, most)
        _one_of("oracle", self.oracle, [kind for kind in oracles.kinds(self.system) if kind != "exact"])
        oracles.get(self.system, self.oracle, prefer=self.preference, lookahead=self.lookahead)
        _one_of("tag", self.tag, ("auto", "xpos", "upos"))
        _one_of("nonprojective", self.nonprojective, NONPROJECTIVE)
        if not isinstance(self.explore, (int, float)) or not 0 <= self.explore <= 1:
            raise UsageError(f"explore is a probability between 0 and 1, not {self.explore!r}")
        for name in ("single_root", "labelled_reduce", "separate_unshift"):
            if not isinstance(getattr(self, name), bool):
                raise UsageError(f"{name} is True or False, not {getattr(self, name)!r}")
        if self.labelled_reduce and self.system not in ("arc-eager-nmd", "arc-eager-nmld"):
            raise UsageError(f"labelled_reduce is for arc-eager-nmd and arc-eager-nmld, whose Reduce can build an arc, not for {self.system}")
        if self.separate_unshift and "unshift" not in systems.get(self.system).moves:
            raise UsageError(f"separate_unshift is for systems with Unshift, not for {self.system}")
        if not self.single_root and systems.get(self.system).single_root:
            raise UsageError(f"{self.system} always ends with one root word; train another system for several")

    @property
    def explores(self) -> bool:
        """Is the oracle one that can answer after a wrong move?"""
        return self.oracle not in ("static", "nondet")

    @property
    def preference(self) -> str:
        """What `prefer` comes to for the system."""
        return preference_for(self.prefer, self.system)

    def _make_whole(self, name: str, least: int, most: int) -> None:
        """See to it that a setting is a plain whole number within its bounds."""
        try:
            value = operator.index(getattr(self, name))
        except TypeError:
            raise UsageError(f"{name} is a whole number, not {getattr(self, name)!r}") from None
        if not least <= value <= most:
            raise UsageError(f"{name} must be between {least} and {most}, not {value}")
        object.__setattr__(self, name, value)

    def to_dict(self) -> dict[str, Any]:
        """The settings as plain values."""
        return asdict(self)


def _one_of(name: str, value: str, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise UsageError(f"{name} must be one of {', '.join(allowed)}, not {value!r}")


def preference_for(prefer: str, system: str) -> str:
    """What a setting means: `auto` is what did best on dev sets; all else is what it says."""
    if prefer != AUTO:
        return prefer
    return "gold-first" if system == "attardi" else "repair-last"
