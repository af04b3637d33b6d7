"""The settings of the parser: transition system, oracle, and search."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gardenpath import oracles, systems
from gardenpath.core.settings import SettingsPart, setting
from gardenpath.errors import UsageError
from gardenpath.features.templates import AUTO
from gardenpath.parsing.parser import MAX_BEAM
from gardenpath.pseudo import ENCODINGS

DEFAULTS = oracles.option_defaults()
MAX_LOOKAHEAD = int(oracles.option_limits()["lookahead"][1])
LIFT = "lift"
NONPROJECTIVE = (LIFT, "skip", *ENCODINGS)
GOLD_LABEL, ANY_LABEL = "gold", "any"


@dataclass(frozen=True, slots=True)
class ParserDefaults:
    """The values of some settings of the parser for a scorer, unless the user chooses others."""

    wrong_arc_labels: str = ANY_LABEL
    nonprojective: str = LIFT
    beam: int = 1


PARSER_DEFAULTS = ParserDefaults()


@dataclass(frozen=True)
class ParserSettings(SettingsPart):
    """The settings of every parser, whatever its scorer.

    The values `auto` of `oracle`, `wrong_arc_labels` and `nonprojective` and the value None of `beam` depend on the
    scorer, so the settings of the whole run resolve them.
    """

    system: str = setting(systems.DEFAULT, "Transition system.", known=systems.names)
    oracle: str = setting(
        AUTO, "Oracle: static, nondet, dynamic, or another oracle of the system; auto is the best one on dev sets.",
    )
    prefer: str = setting(
        AUTO, "Which optimal transitions to learn from; auto is the best choice on dev sets.",
        choices=(AUTO, *oracles.PREFERENCES),
    )
    lookahead: int = setting(
        int(DEFAULTS["lookahead"]), "Number of transitions that the oracle looks ahead, if it can.",
        least=0, most=MAX_LOOKAHEAD,
    )
    postpone: float = setting(
        DEFAULTS["postpone"], "Probability that the oracle postpones a transition, if it can.", least=0, most=1,
    )
    wrong_arc_labels: str = setting(
        AUTO, "Labels to accept for an arc that is not gold: only the gold label of its dependent, or any label; auto "
        "depends on the scorer.", choices=(AUTO, GOLD_LABEL, ANY_LABEL),
    )
    nonprojective: str = setting(
        AUTO, "What to learn from a tree that the system cannot build: lift arcs, skip it, or lift and mark the "
        "labels; auto depends on the scorer.", choices=(AUTO, *NONPROJECTIVE),
    )
    single_root: bool = setting(True, "Give every parse exactly one root word.")
    labelled_reduce: bool = setting(False, "Let a Reduce that attaches a word choose the label.")
    separate_unshift: bool = setting(False, "Score Unshift and Reduce as two classes.")
    beam: int | None = setting(
        None, "Beam width; 1 is greedy search.", kind=int, least=1, most=MAX_BEAM,
        default_text="4 for the network, else 1",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        system = systems.get(self.system)
        if self.oracle != AUTO:
            self._check_oracle()
        if self.labelled_reduce and not system.attaching_reduce:
            suitable = _systems_with("attaching_reduce")
            raise UsageError(f"labelled_reduce needs a Reduce that can build an arc: {suitable}, not {self.system}")
        if self.separate_unshift and not system.separable_unshift:
            suitable = _systems_with("separable_unshift")
            raise UsageError(f"separate_unshift needs a system that learns to unshift: {suitable}, not {self.system}")
        if not self.single_root and system.single_root:
            raise UsageError(f"{self.system} always ends with one root word; for several, train another system")

    def _check_oracle(self) -> None:
        kinds = training_oracles(self.system)
        if not kinds:
            raise UsageError(f"{self.system} has no oracle to train with; register one: gardenpath.oracles.register")
        if self.oracle not in kinds:
            raise UsageError(f"oracle must be one of {', '.join(kinds)}, not {self.oracle!r}")
        if self.lookahead and "lookahead" in self.ineffective():
            raise UsageError(f"lookahead must be 0, because {self.ineffective()['lookahead']}")

    def resolved(self, needs_fixed_oracle: bool, defaults: ParserDefaults) -> ParserSettings:
        """The settings with values in place of those that depend on the scorer. The arguments are its traits."""
        system = systems.get(self.system)
        oracle = system.fixed_oracle if needs_fixed_oracle else system.default_oracle
        return replace(
            self, oracle=oracle if self.oracle == AUTO else self.oracle,
            wrong_arc_labels=defaults.wrong_arc_labels if self.wrong_arc_labels == AUTO else self.wrong_arc_labels,
            nonprojective=defaults.nonprojective if self.nonprojective == AUTO else self.nonprojective,
            beam=defaults.beam if self.beam is None else self.beam,
        )

    def ineffective(self) -> dict[str, str]:
        """The settings that have no effect with this system and oracle, each with the reason."""
        used = oracles.options(self.system, self.oracle)
        reason = f"the {self.oracle} oracle of {self.system} does not use it"
        found = {name: reason for name in ("lookahead", "postpone") if name not in used}
        if self.has_fixed_oracle:
            found["wrong_arc_labels"] = f"the {self.oracle} oracle builds only gold arcs"
        return found

    @property
    def width(self) -> int:
        """The beam width."""
        return 1 if self.beam is None else self.beam

    @property
    def class_options(self) -> dict[str, bool]:
        """The arguments of `Classes` for these settings."""
        return {"shared_unshift": not self.separate_unshift, "labelled_reduce": self.labelled_reduce}

    @property
    def explores(self) -> bool:
        """Whether the oracle can continue after a wrong transition."""
        return oracles.explores(self.oracle)

    @property
    def has_fixed_oracle(self) -> bool:
        """Whether the oracle names one transition for each configuration, independently of the scores."""
        return oracles.is_fixed(self.oracle)

    @property
    def draws(self) -> bool:
        """Whether the oracle draws some of its transitions at random."""
        return "postpone" in oracles.options(self.system, self.oracle)

    @property
    def labels_all_arcs(self) -> bool:
        """Whether training accepts only gold labels, on wrong arcs too."""
        return self.wrong_arc_labels == GOLD_LABEL

    @property
    def preference(self) -> str:
        """The value of `prefer`, with `auto` resolved for the system."""
        return preference_for(self.prefer, self.system)


def preference_for(prefer: str, system: str) -> str:
    """The preference that a value of `prefer` stands for; `auto` depends on the system."""
    return systems.get(system).preference if prefer == AUTO else prefer


def _systems_with(trait: str) -> str:
    return " or ".join(name for name in systems.names() if getattr(systems.get(name), trait))


def training_oracles(system: str) -> list[str]:
    """The oracles of a system that a parser can be trained with."""
    return [kind for kind in oracles.kinds(system) if kind != oracles.EXACT]


def fixed_oracles(system: str) -> list[str]:
    """The oracles of a system that name one transition for each configuration."""
    return [kind for kind in training_oracles(system) if oracles.is_fixed(kind)]
