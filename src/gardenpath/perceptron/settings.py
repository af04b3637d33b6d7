"""The settings of the perceptron."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from gardenpath.core.settings import setting
from gardenpath.errors import UsageError
from gardenpath.features.templates import AUTO
from gardenpath.features.templates import names as template_sets
from gardenpath.parsing.scorers import ScorerSettings
from gardenpath.parsing.settings import ParserSettings

LARGE = 1_000_000
UPDATES = ("max-violation", "early")


@dataclass(frozen=True)
class PerceptronSettings(ScorerSettings):
    """The settings of the averaged perceptron.

    A `margin` of 0 and `min_updates` of 1 give the plain averaged perceptron of the papers.
    """

    features: str = setting(
        AUTO, "Feature templates: the name of a set or a file; auto is the set of the system.",
        known=template_sets, is_file=True,
    )
    tag: str = setting(
        AUTO, "Column that templates call p; auto is XPOS if it holds a usable tag set, else UPOS.",
        choices=(AUTO, "xpos", "upos"),
    )
    margin: int = setting(
        100, "Also update if the gold transition leads by less than this margin.", least=0, most=LARGE,
    )
    min_updates: int | None = setting(
        None, "Ignore a feature until it has had this many updates.",
        kind=int, least=1, most=255, default_text="3; with a beam 1",
    )
    prune: float = setting(
        0.0, "Share of the weights to leave out of the model, the smallest first; also of the tagger's.",
        least=0, below=1,
    )
    explore: float = setting(1.0, "Probability of following a wrong prediction in training.", least=0, most=1)
    explore_from: int = setting(1, "First epoch that follows wrong predictions.", least=1, most=LARGE)
    beam_from: int = setting(1, "First epoch that uses the beam; the epochs before are greedy.", least=1, most=LARGE)
    update: str = setting(
        UPDATES[0],
        "Where to update with a beam: at the largest violation, or where the gold derivation falls out of the beam.",
        choices=UPDATES,
    )

    @property
    def tagger_prune(self) -> float:
        """The same share as of the parser's weights."""
        return self.prune

    def completed(self, parser: ParserSettings) -> Self:
        """Fill in `min_updates`, which depends on the beam."""
        return self if self.min_updates is not None else replace(self, min_updates=3 if parser.width == 1 else 1)

    def check(self, parser: ParserSettings) -> None:
        """Reject a beam together with an oracle that draws one of several derivations."""
        if parser.width > 1 and parser.draws:
            raise UsageError(
                "with a beam, the perceptron learns from all gold derivations, "
                f"but the {parser.oracle} oracle draws one of them; train with oracle=nondet"
            )

    def ineffective(self, parser: ParserSettings) -> dict[str, str]:
        """Exploration needs an oracle that allows it and greedy epochs; the settings of beams need a beam."""
        reasons = {} if parser.width > 1 else dict.fromkeys(("beam_from", "update"), "the search is greedy (beam=1)")
        exploration = ("explore", "explore_from")
        if not parser.explores:
            reasons |= dict.fromkeys(exploration, f"the {parser.oracle} oracle cannot continue after wrong transitions")
        elif parser.width > 1 and self.beam_from == 1:
            reasons |= dict.fromkeys(exploration, "training with a beam does not explore")
        return reasons
