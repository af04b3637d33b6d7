"""What a non-monotonic parser makes of its second thoughts: how often it replaces an arc, and whether that was a good idea."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from gardenpath.document import Sentence
from gardenpath.errors import InputError
from gardenpath.evaluation.scores import percent
from gardenpath.models.model import Model
from gardenpath.search.trace import TraceStep
from gardenpath.systems import TransitionSystem
from gardenpath.trees import find_problems


@dataclass(slots=True)
class RepairCounts:
    """Moves of a parser, those that build arcs, and those among these that took another arc away (Fernández-González and Gómez-Rodríguez, ACL 2017)."""

    sentences: int = 0
    moves: int = 0
    repairs: int = 0              # moves that take back a decision, arc or not
    arcs: int = 0                 # moves that build an arc
    replacing: int = 0            # ... in place of another, or by breaking a cycle
    gold: int = 0                 # ... and the new arc is gold
    harmful: int = 0              # ... or is not, and a gold arc went

    @property
    def replacing_share(self) -> float:
        """How many of the arcs built took another away, in per cent."""
        return percent(self.replacing, self.arcs)

    @property
    def gold_share(self) -> float:
        """How many of these are gold, in per cent."""
        return percent(self.gold, self.replacing)

    @property
    def harmful_share(self) -> float:
        """How many of these are not, and cost a gold arc, in per cent."""
        return percent(self.harmful, self.replacing)

    def to_dict(self) -> dict[str, Any]:
        """Counts and shares as plain values."""
        shares = {"replacing_share": self.replacing_share, "gold_share": self.gold_share, "harmful_share": self.harmful_share}
        return asdict(self) | shares


def count_repairs(model: Model, sentences: Iterable[Sentence]) -> RepairCounts:
    """Parse tagged sentences, whose HEAD holds the gold tree, move by move; they stay as they are."""
    counts = RepairCounts()
    for sentence in sentences:
        for problem in find_problems(sentence.heads, single_root=False):
            raise InputError(f"{sentence.where}: {problem.fault}; {problem.remedy}")
        counts.sentences += 1
        for step in model.trace(sentence, policy=False):
            _count(counts, step, model.parser.system, sentence.heads)
    return counts


def _count(counts: RepairCounts, step: TraceStep, system: TransitionSystem, gold: list[int | None]) -> None:
    counts.moves += 1
    counts.repairs += step.repair
    counts.arcs += step.arc is not None
    if not step.repair or step.arc is None:
        return
    after = step.configuration.copy()
    system.apply(after, step.move, step.label)
    replaced = [(old, right) for old, new, right in zip(step.configuration.heads, after.heads, gold, strict=True) if old not in (-1, new)]
    if replaced:
        head, child = step.arc
        is_gold = gold[child - 1] == head
        counts.replacing += 1
        counts.gold += is_gold
        counts.harmful += not is_gold and any(old == right for old, right in replaced)
