"""Compare the conditions of an experiment: on each treebank by sentences, over treebanks by runs with the same seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import mean

from gardenpath.evaluation.bootstrap import intervals_by_metric
from gardenpath.evaluation.significance import compare_runs, holm
from gardenpath.evaluation.wilcoxon import wilcoxon
from gardenpath.experiments.results import Results, in_common

LEVEL = 0.05          # significance level, after Holm's correction
MIN_SEEDS = 6         # for Wilcoxon's test over seeds: with fewer, its p cannot be below the level
HOLDS, REVERSED, UNDECIDED, UNTESTED = "holds", "reversed", "no difference that these runs could show", "not tested"


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference between two conditions on a treebank, second minus first, in points, over their common seeds.

    `p` is that of paired approximate randomisation over sentences, and `holm` is corrected for all tests of the
    table. `low` and `high` bound the 95 % bootstrap interval over sentences. `by_seed` has the differences by seed.
    """

    first: str
    second: str
    treebank: str
    difference: float
    low: float
    high: float
    p: float
    holm: float
    by_seed: list[float]

    @property
    def is_significant(self) -> bool:
        """Whether the difference is significant after correction."""
        return self.holm < LEVEL

    @property
    def p_over_seeds(self) -> float | None:
        """The p of Wilcoxon's test over seeds, not corrected; None if there are too few seeds."""
        return wilcoxon(self.by_seed) if len(self.by_seed) >= MIN_SEEDS else None


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two conditions over all treebanks that both have runs of.

    `p` is that of Wilcoxon's test, or None without two seeds; `holm` is corrected.
    """

    first: str
    second: str
    treebanks: list[Difference]
    p: float | None = None
    holm: float | None = None

    @property
    def difference(self) -> float | None:
        """The difference, second minus first, in points, as the mean over treebanks."""
        return mean(each.difference for each in self.treebanks) if self.treebanks else None

    @property
    def pairs(self) -> list[float]:
        """The differences of all pairs of runs with the same treebank and seed."""
        return [difference for each in self.treebanks for difference in each.by_seed]

    def count(self, direction: int, *, significant: bool = False) -> int:
        """Return the number of treebanks on which the second is ahead (1) or behind (-1)."""
        return sum(
            each.difference * direction > 0 and (each.is_significant or not significant) for each in self.treebanks
        )

    @property
    def is_significant(self) -> bool:
        """Whether the difference over treebanks is significant after correction.

        With a single treebank, the test over its sentences decides, because there are few seeds.
        """
        if len(self.treebanks) == 1:
            return self.treebanks[0].is_significant
        return self.holm is not None and self.holm < LEVEL

    @property
    def verdict(self) -> str:
        """The verdict on the claim that the second is better.

        The claim holds if the second is ahead on average and in most pairs, and the difference is significant.
        """
        if self.holm is None or self.difference is None:
            return UNTESTED
        majority = sum((pair > 0) - (pair < 0) for pair in self.pairs)
        if self.is_significant and self.difference * majority > 0:
            return HOLDS if self.difference > 0 else REVERSED
        return UNDECIDED


class Comparisons:
    """Comparisons of the conditions of an experiment. Each test is made once and shared by the tables."""

    def __init__(self, results: Results, metrics: Sequence[str]) -> None:
        self.results = results
        self.metrics = metrics
        self._known: dict[tuple[str, ...], dict[str, Difference]] = {}

    def with_baseline(self, metric: str) -> list[Pairing]:
        """Compare every other condition with the baseline."""
        baseline = self.results.baseline
        return self._family(
            [(baseline, condition) for condition in self.results.conditions if condition != baseline], metric
        )

    def of_claims(self, metric: str) -> list[Pairing]:
        """Compare the conditions of the claims, in the order of the claims."""
        return self._family([(claim.first, claim.second) for claim in self.results.claims], metric)

    def _family(self, pairs: Sequence[tuple[str, str]], metric: str) -> list[Pairing]:
        """Compare pairs of conditions with Holm's correction.

        The tests on treebanks are corrected for all treebanks of all pairs, the tests over treebanks for all pairs.
        """
        every = [self._pairing(*pair, metric) for pair in pairs]
        adjusted = iter(holm([each.p for pairing in every for each in pairing.treebanks]))
        every = [
            replace(pairing, treebanks=[replace(each, holm=next(adjusted)) for each in pairing.treebanks])
            for pairing in every
        ]
        overall = iter(holm([pairing.p for pairing in every if pairing.p is not None]))
        return [pairing if pairing.p is None else replace(pairing, holm=next(overall)) for pairing in every]

    def _pairing(self, first: str, second: str, metric: str) -> Pairing:
        treebanks = [
            each[metric] for treebank in self.results.treebanks if (each := self._differences(first, second, treebank))
        ]
        pairing = Pairing(first, second, treebanks)
        return (
            replace(pairing, p=wilcoxon(pairing.pairs)) if any(len(each.by_seed) > 1 for each in treebanks) else pairing
        )

    def _differences(self, *key: str) -> dict[str, Difference]:
        """Return the difference of two conditions on a treebank by metric; empty if they have no common seed."""
        if key not in self._known:
            self._known[key] = self._compare(*key)
        return self._known[key]

    def _compare(self, first: str, second: str, treebank: str) -> dict[str, Difference]:
        cells = self.results.cell(first, treebank), self.results.cell(second, treebank)
        seeds = in_common(cells)
        if not seeds:
            return {}
        one, two = ([result.attachment for result in cell.results if result.seed in seeds] for cell in cells)
        intervals = intervals_by_metric(one, two, self.metrics)
        found = {}
        for metric in self.metrics:
            tested = compare_runs(one, two, metric=metric)
            by_seed = [
                getattr(of_second, metric) - getattr(of_first, metric)
                for of_first, of_second in zip(one, two, strict=True)
            ]
            found[metric] = Difference(
                first, second, treebank, tested.difference, *intervals[metric].difference, tested.p, tested.p, by_seed
            )
        return found
