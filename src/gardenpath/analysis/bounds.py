"""Compare the bounds of the non-monotonic Covington oracles with the loss.

See Fernández-González and Gómez-Rodríguez (ACL 2017, table 1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
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
    loss_per_word: float          # mean of the loss divided by the number of words of the sentence
    bounds: dict[str, BoundScore]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return asdict(self)


class _EnoughError(Exception):
    """The requested number of configurations is reached."""


class _Meter:
    """Receives the configurations of a training run one by one and adds up the bounds."""

    def __init__(self, wanted: int, budget: int, *, after: bool, epoch: int) -> None:
        self.system = get(SYSTEM)
        self.wanted = wanted
        self.after = after
        self.epochs_to_skip = epoch - 1
        self.seen = 0
        self.exact = SearchOracle(self.system, "exact", "any", budget)
        self.oracles = {kind: oracles.of(self.system, kind) for kind in oracles.bounds(SYSTEM)}
        self.losses = 0
        self.losses_per_word = 0.0
        self.settled = 0
        self.totals: Counter[str] = Counter()
        self.distances: dict[str, float] = dict.fromkeys(self.oracles, 0.0)
        self.below: Counter[str] = Counter()
        self.above: Counter[str] = Counter()

    def __call__(self, configuration: Configuration, gold: list[int]) -> None:
        if self.epochs_to_skip > 0:
            return
        for each in self._following(configuration) if self.after else [configuration]:
            if self.seen == self.wanted:
                raise _EnoughError
            self.seen += 1
            self._compare(each, gold)

    def _following(self, configuration: Configuration) -> Iterator[Configuration]:
        """Yield the configurations after each valid transition."""
        for name in self.system.valid(configuration):
            following = configuration.copy()
            self.system.apply(following, name)
            yield following

    def _compare(self, configuration: Configuration, gold: list[int]) -> None:
        loss, most = self.exact.between(configuration, gold)
        if loss < most:
            return
        self.settled += 1
        self.losses += loss
        self.losses_per_word += loss / len(gold)
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
        unsettled = self.seen - self.settled
        return BoundsReport(self.seen, unsettled, self.losses / count, self.losses_per_word / count, bounds)


def measure_bounds(
    train: Sequence[Sentence], settings: Settings, configurations: int = 100_000, budget: int = BUDGET, *,
    after: bool = False, epoch: int = 1,
) -> BoundsReport:
    """Train the system whose oracles use bounds, and compare bounds and loss in its configurations.

    Args:
        train: The training set.
        settings: Settings of the training.
        configurations: The number of configurations to compare. Those with a forced transition are included.
        budget: The number of configurations that the search for one loss may open.
        after: Whether to compare the configurations after each valid transition, instead of those that training visits.
        epoch: The epoch with the first configuration to compare, from 1 on.
    """
    if settings.parser.system != SYSTEM:
        raise UsageError(f"bounds can be measured for {SYSTEM} only, not for {settings.parser.system}")
    if configurations < 1 or budget < 0:
        raise UsageError(
            f"at least one configuration is needed, and a budget of 0 or more, not {configurations} and {budget}"
        )
    settings = settings.changed(tags="gold", tokenizer="none").for_treebank(sum(map(len, train)))
    assert settings.epochs is not None
    if not 1 <= epoch <= settings.epochs:
        raise UsageError(f"the training has epochs 1 to {settings.epochs}, and no epoch {epoch}")
    meter = _Meter(configurations, budget, after=after, epoch=epoch)
    try:
        for step in training(train, None, settings, watch=meter):
            meter.epochs_to_skip -= step.model is not None
    except _EnoughError:
        pass
    return meter.report()
