"""Compare the bounds of the non-monotonic Covington oracles with the loss.

See Fernández-González and Gómez-Rodríguez (ACL 2017, table 1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from gardenpath import oracles
from gardenpath.errors import UsageError
from gardenpath.evaluation.scores import percent
from gardenpath.formats.document import Sentence
from gardenpath.models.settings import Settings
from gardenpath.models.training import training
from gardenpath.oracles.search import SearchOracle
from gardenpath.systems import Configuration, get

SYSTEM = oracles.BOUNDED
BUDGET = 2_000         # configurations per loss; on Gothic, 1,000 left 1,084 of 20,000 losses unknown, 3,000 left 1,057


@dataclass(frozen=True, slots=True)
class BoundScore:
    """A bound compared with the loss, over configurations with a known loss."""

    average: float        # mean of the bound
    relative: float       # mean distance from the loss in per cent of the loss (of 1 where the loss is 0)
    below: int            # number of configurations where the bound is below the loss
    above: int


@dataclass(frozen=True, slots=True)
class BoundsReport:
    """The measurements. Configurations whose loss the search could not determine are counted and otherwise left out."""

    configurations: int
    unsettled: int
    average_loss: float
    bounds: dict[str, BoundScore]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return asdict(self)


class _EnoughError(Exception):
    """The requested number of configurations is reached."""


class _Meter:
    """Receives the configurations of a training run one by one and adds up the bounds."""

    def __init__(self, wanted: int, budget: int) -> None:
        system = get(SYSTEM)
        self.wanted = wanted
        self.seen = 0
        self.exact = SearchOracle(system, "exact", "any", budget)
        self.oracles = {kind: oracles.of(system, kind) for kind in oracles.bounds(SYSTEM)}
        self.losses = 0
        self.settled = 0
        self.totals: Counter[str] = Counter()
        self.distances: dict[str, float] = dict.fromkeys(self.oracles, 0.0)
        self.below: Counter[str] = Counter()
        self.above: Counter[str] = Counter()

    def __call__(self, configuration: Configuration, gold: list[int]) -> None:
        if self.seen == self.wanted:
            raise _EnoughError
        self.seen += 1
        loss, most = self.exact.between(configuration, gold)
        if loss < most:
            return
        self.settled += 1
        self.losses += loss
        for kind, oracle in self.oracles.items():
            bound = oracle.loss(configuration, gold)
            self.totals[kind] += bound
            self.distances[kind] += abs(bound - loss) / max(loss, 1)
            self.below[kind] += bound < loss
            self.above[kind] += bound > loss

    def report(self) -> BoundsReport:
        count = max(self.settled, 1)
        bounds = {
            kind: BoundScore(
                self.totals[kind] / count, percent(self.distances[kind], count), self.below[kind], self.above[kind]
            )
            for kind in self.oracles
        }
        return BoundsReport(self.seen, self.seen - self.settled, self.losses / count, bounds)


def measure_bounds(
    train: Sequence[Sentence], settings: Settings, configurations: int = 100_000, budget: int = BUDGET
) -> BoundsReport:
    """Train the system whose oracles use bounds, and compare bounds and loss in its first configurations.

    Configurations with a forced transition are included.
    """
    if settings.parser.system != SYSTEM:
        raise UsageError(f"bounds can be measured for {SYSTEM} only, not for {settings.parser.system}")
    if configurations < 1 or budget < 0:
        raise UsageError(
            f"at least one configuration is needed, and a budget of 0 or more, not {configurations} and {budget}"
        )
    meter = _Meter(configurations, budget)
    try:
        for _ in training(train, None, settings.changed(tags="gold", tokenizer="none"), watch=meter):
            pass
    except _EnoughError:
        pass
    return meter.report()
