"""What the user chose for training."""

from __future__ import annotations

import operator
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from gardenpath import oracles, systems
from gardenpath.errors import UsageError
from gardenpath.features.templates import AUTO
from gardenpath.oracles.covington import MOST_LOOKAHEAD
from gardenpath.pseudo import ENCODINGS

LARGE = 1_000_000
BOUNDS = {
    "passes": (1, LARGE), "seed": (0, 2**64 - 1), "margin": (0, LARGE), "min_updates": (1, 255), "explore_from": (1, LARGE), "lookahead": (0, MOST_LOOKAHEAD),
    "beam": (1, 10_000), "beam_from": (1, LARGE), "batch": (1, 100_000), "folds": (2, 1000),
}
FRACTIONS = ("prune", "explore", "postpone", "dropout", "averaging", "decay", "learning_rate")
DEFAULT_SYSTEM = "arc-eager-unshift"
SCORERS = ("perceptron", "stack-lstm")
UPDATES = ("max-violation", "early")
ENCODERS = ("incremental", "bilstm")
NONPROJECTIVE = ("lift", "skip", *ENCODINGS)
TAGS = ("predicted", "jackknife", "gold")
TOKENIZERS = ("gardenpath", "udpipe", "none")


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a training run; they are stored in the model.

    `tags` says which tags the parser learns from. `predicted`: those of a tagger that learns in the same passes (Honnibal and Johnson 2015). `jackknife`: each
    of so many `folds` of the treebank is tagged by a tagger trained on the others. `gold`: the tags of the file; then there is no tagger, and what is parsed
    later must be tagged the same way. `auto` is what did best on dev sets: `predicted`, for the stack-LSTM `jackknife`. `tokenizer` is `gardenpath`, this
    package's own, `udpipe` or `none`; `auto` is `gardenpath` where there is a tagger. `clusters` is a file of word clusters for tagger and parser.

    `scorer` is what scores the moves: the averaged `perceptron`, or the `stack-lstm`, a neural network (see below).

    `oracle` is `static` (one canonical move, followed), `nondet` (all optimal moves on gold paths) or `dynamic` (from any configuration: with it, a wrong
    prediction is followed with probability `explore` from pass `explore_from` on). covington-nm also has `lower`, `pc-upper`, `upper` and `lower-strict`,
    dynamic ones that go by a bound of the loss, `pc-upper` with `lookahead` so many moves ahead; swap has `lazy` (the same as `static`) and `eager`; stay-eager
    has `non-static`, which puts a move off with probability `postpone`. `prefer` says which of several optimal moves to learn from. `auto` is what did best on
    dev sets: of oracles the dynamic one, of preferences `gold-first` for attardi, whose arcs can often be put off, `repair-last` for all others.

    `features` is a template set or a file; `auto` is the system's own, or `rich`, with clusters `rich-clusters`. `tag` is the column that templates call `p`:
    `xpos`, `upos`, or `auto` for XPOS where the treebank has a usable one. A right decision that leads by less than `margin` is learnt from too, and a feature
    counts from its `min_updates`-th update on (None: the third, with a beam the first); 0 and 1 are the plain averaged perceptron of the papers. `prune` leaves
    that share of the weights out of the model, the smallest first, of the tagger's too.

    With a `beam` wider than 1 the parser looks for the best of so many derivations. From pass `beam_from` on it then learns where the gold one falls out of the
    beam (`update` `early`) or is furthest behind (`max-violation`, as the stack-LSTM always does); the passes before are greedy.

    `nonprojective` says what to learn from a tree that the system cannot build: the tree with its crossing arcs lifted (`lift`), nothing (`skip`), or the
    lifted tree with labels that say so, in the encoding `head`, `path` or `head+path`: these arcs are lowered again in parses.

    The stack-LSTM has an `encoder`: `incremental` (a word's vector knows nothing of its neighbours, and the parser sees three words of the buffer) or
    `bilstm` (it knows the whole sentence). It learns from `batch` sentences at a time with Adam, whose `learning_rate` falls with each pass by `decay`, and
    drops numbers with probability `dropout`. With an `averaging` of, say, 0.999 the model is made of averages that follow the parameters that slowly. Its
    oracle must name one move for each configuration; `auto` is `non-static` for stay-eager, `static` for all others. `features`, `margin`, `min_updates`,
    `update`, `beam_from`, `explore` and `explore_from` are the perceptron's.
    """

    system: str = DEFAULT_SYSTEM
    oracle: str = AUTO
    features: str = AUTO
    passes: int = 10
    seed: int = 1
    margin: int = 100
    min_updates: int | None = None
    prune: float = 0.0
    explore_from: int = 1
    explore: float = 1.0
    prefer: str = AUTO
    lookahead: int = 0
    tag: str = "auto"
    nonprojective: str = "lift"
    single_root: bool = True
    labelled_reduce: bool = False
    separate_unshift: bool = False
    postpone: float = 0.33
    beam: int = 1
    beam_from: int = 1
    update: str = "max-violation"
    scorer: str = "perceptron"
    encoder: str = "incremental"
    batch: int = 32
    learning_rate: float = 0.001
    decay: float = 0.08
    dropout: float = 0.33
    averaging: float = 0.0
    tags: str = AUTO
    folds: int = 10
    tokenizer: str = AUTO
    clusters: str | None = None

    @classmethod
    def of(cls, **values: Any) -> Settings:
        """Settings by their names; a name that is none is an error."""
        names = [each.name for each in fields(cls)]
        for name in values:
            if name not in names:
                raise UsageError(f"training has no setting {name!r}; there are {', '.join(names)}")
        return cls(**values)

    def __post_init__(self) -> None:
        object.__setattr__(self, "features", os.fspath(self.features))
        _one_of("scorer", self.scorer, SCORERS)
        if self.min_updates is None:
            object.__setattr__(self, "min_updates", 3 if self.beam == 1 else 1)
        if self.oracle == AUTO:
            object.__setattr__(self, "oracle", _oracle_for(self.system, self.scorer))
        self._resolve_text()
        for name, (least, most) in BOUNDS.items():
            self._make_whole(name, least, most)
        _one_of("oracle", self.oracle, [kind for kind in oracles.kinds(self.system) if kind != "exact"])
        oracles.get(self.system, self.oracle, prefer=self.preference, lookahead=self.lookahead, postpone=self.postpone)
        _one_of("tag", self.tag, ("auto", "xpos", "upos"))
        _one_of("nonprojective", self.nonprojective, NONPROJECTIVE)
        _one_of("update", self.update, UPDATES)
        _one_of("encoder", self.encoder, ENCODERS)
        for name in FRACTIONS:
            if not isinstance(getattr(self, name), (int, float)) or not 0 <= getattr(self, name) <= 1:
                raise UsageError(f"{name} is a number between 0 and 1, not {getattr(self, name)!r}")
        for name in ("dropout", "averaging", "prune"):
            if getattr(self, name) == 1:
                raise UsageError(f"{name} must be less than 1, or nothing is learnt")
        for name in ("single_root", "labelled_reduce", "separate_unshift"):
            if not isinstance(getattr(self, name), bool):
                raise UsageError(f"{name} is True or False, not {getattr(self, name)!r}")
        if self.labelled_reduce and self.system not in ("arc-eager-nmd", "arc-eager-nmld"):
            raise UsageError(f"labelled_reduce is for arc-eager-nmd and arc-eager-nmld, whose Reduce can build an arc, not for {self.system}")
        if self.separate_unshift and self.system != "arc-eager-unshift":
            raise UsageError(f"separate_unshift is for arc-eager-unshift, which learns when to make that move, not for {self.system}")
        if self.scorer == "stack-lstm" and not oracles.is_fixed(self.oracle):
            fixed = ", ".join(kind for kind in oracles.kinds(self.system) if oracles.is_fixed(kind))
            raise UsageError(f"the stack-LSTM learns from derivations known in advance: the oracle of {self.system} must be {fixed}, not {self.oracle}")
        if self.beam > 1 and self.scorer == "perceptron" and self.oracle == "non-static":
            raise UsageError("with a beam, train on all derivations that the non-static oracle may draw: oracle=nondet")
        if not self.single_root and systems.get(self.system).single_root:
            raise UsageError(f"{self.system} always ends with one root word; train another system for several")

    def _resolve_text(self) -> None:
        """Find out what tagger and tokenizer the settings come to."""
        if self.tags == AUTO:
            object.__setattr__(self, "tags", "predicted" if self.scorer == "perceptron" else "jackknife")
        if self.tokenizer == AUTO:
            object.__setattr__(self, "tokenizer", "none" if self.tags == "gold" else "gardenpath")
        _one_of("tags", self.tags, TAGS)
        _one_of("tokenizer", self.tokenizer, TOKENIZERS)
        if self.tags == "gold" and self.tokenizer != "none":
            raise UsageError("a tokenizer needs a tagger behind it: train with tags=predicted, or with tokenizer=none")
        if self.scorer == "stack-lstm" and self.tags == "predicted":
            raise UsageError("the stack-LSTM cannot learn in the same passes as a tagger; train it with tags=jackknife")
        if self.clusters is not None:
            object.__setattr__(self, "clusters", os.fspath(self.clusters))
            if self.scorer == "stack-lstm":
                raise UsageError("the stack-LSTM has no features of word clusters; train it without")

    @property
    def explores(self) -> bool:
        """Is the oracle one that can answer after a wrong move?"""
        return oracles.explores(self.oracle)

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


def _oracle_for(system: str, scorer: str) -> str:
    """The oracle that did best on dev sets: the dynamic one; for the stack-LSTM, whose derivations must be known in advance, the best of the others."""
    if scorer == "perceptron":
        return "dynamic"
    return "non-static" if system == "stay-eager" else "static"


def preference_for(prefer: str, system: str) -> str:
    """What a setting means: `auto` is what did best on dev sets; all else is what it says."""
    if prefer != AUTO:
        return prefer
    return "gold-first" if system == "attardi" else "repair-last"
