"""Repairs of a non-monotonic parser: how often it undoes a decision, whether that was right, and what it corrects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from gardenpath import oracles
from gardenpath.analysis.opportunities import Outcomes, can_repair
from gardenpath.analysis.referee import Referee
from gardenpath.errors import InputError
from gardenpath.evaluation.scores import percent
from gardenpath.formats.document import Sentence
from gardenpath.models.model import Model
from gardenpath.parsing.trace import TraceStep
from gardenpath.pseudo import ENCODINGS, lift
from gardenpath.systems import Configuration, TransitionSystem
from gardenpath.trees import find_problems, projectivise

__all__ = ["LabelChange", "Outcomes", "RepairCounts", "Repairs", "analyse_repairs", "can_repair", "count_repairs"]

BOUND = "pc-upper"            # the judge where there is no exact oracle
PREFER = "repair-last"
PUNCTUATION = "PUNCT"


@dataclass(slots=True)
class RepairCounts:
    """Transitions of a parser, those that build arcs, and those of them that replace another arc.

    See Fernández-González and Gómez-Rodríguez (ACL 2017).
    """

    sentences: int = 0
    moves: int = 0
    repairs: int = 0              # transitions that undo a decision
    arcs: int = 0                 # transitions that build an arc
    replacing: int = 0            # ... that replaces another arc, or removes one to break a cycle
    gold: int = 0                 # ... and is gold
    harmful: int = 0              # ... or is not gold and removes a gold arc

    @property
    def replacing_share(self) -> float:
        """The share of the arcs built that replace another arc, in per cent."""
        return percent(self.replacing, self.arcs)

    @property
    def gold_share(self) -> float:
        """The share of the replacing arcs that are gold, in per cent."""
        return percent(self.gold, self.replacing)

    @property
    def harmful_share(self) -> float:
        """The share of the replacing arcs that are not gold and remove a gold arc, in per cent."""
        return percent(self.harmful, self.replacing)

    def to_dict(self) -> dict[str, Any]:
        """Return counts and shares as plain values."""
        shares = {
            "replacing_share": self.replacing_share,
            "gold_share": self.gold_share,
            "harmful_share": self.harmful_share,
        }
        return asdict(self) | shares


@dataclass(slots=True)
class LabelChange:
    """Arcs built by repairs, by the label of the removed arc and the new label.

    `old` is None if the word had no head. `head_right` and `label_right` count the new arcs with the gold head, and
    with the gold head and label.
    """

    old: str | None
    new: str
    count: int = 0
    head_right: int = 0
    label_right: int = 0


@dataclass(slots=True)
class Repairs:
    """The repairs of a parser on a treebank, compared with the necessary ones.

    `kinds` has the outcomes of the opportunities for each kind of repair. `labels` has the arcs built by repairs,
    most frequent first. `gain` is the number of words whose head was wrong before a repair and right after it, minus
    the reverse. `oracle` and `conditions` describe how repairs were judged. A system without repairs has counts only.
    """

    counts: RepairCounts
    kinds: dict[str, Outcomes]
    labels: list[LabelChange]
    gain: int
    oracle: str
    conditions: str

    @property
    def total(self) -> Outcomes:
        """The outcomes of all kinds together."""
        return sum(self.kinds.values(), Outcomes())

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values for JSON."""
        return {
            "conditions": self.conditions,
            "oracle": self.oracle,
            "counts": self.counts.to_dict(),
            "kinds": {kind: outcomes.to_dict() for kind, outcomes in self.kinds.items()},
            "total": self.total.to_dict(),
            "precision": self.total.precision,
            "recall": self.total.recall,
            "labels": [asdict(change) for change in self.labels],
            "gain": self.gain,
        }


def count_repairs(model: Model, sentences: Iterable[Sentence]) -> RepairCounts:
    """Parse tagged sentences with gold heads step by step, and count repairs. The sentences are not changed."""
    counts = RepairCounts()
    for sentence in _trees(sentences):
        counts.sentences += 1
        for step in model.trace(sentence, policy=False):
            _count(counts, step, model.parser.system, sentence.heads)
    return counts


def analyse_repairs(model: Model, sentences: Iterable[Sentence], punctuation: bool = True) -> Repairs:
    """Parse tagged sentences with gold heads and labels step by step, and judge every repair and every opportunity.

    The judge is the dynamic oracle of the system, whatever oracle the model was trained with, so that models can be
    compared. A tree that the system cannot build is lifted as for training. `punctuation=False` leaves out repairs,
    made or possible, of words with the gold tag PUNCT; `counts` always covers all transitions.
    """
    analysis = _Analysis(model, punctuation)
    for sentence in _trees(sentences):
        analysis.follow(sentence)
    return analysis.result()


def _trees(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """Yield the sentences. Raise `InputError` at the first one that is not a tree."""
    for sentence in sentences:
        for problem in find_problems(sentence.heads, single_root=False):
            raise InputError(f"{sentence.where}: {problem.fault}; {problem.remedy}")
        yield sentence


def _count(counts: RepairCounts, step: TraceStep, system: TransitionSystem, gold: list[int | None]) -> None:
    counts.moves += 1
    counts.repairs += step.repair
    counts.arcs += step.arc is not None
    if not step.repair or step.arc is None:
        return
    after = _after(step, system)
    replaced = [
        (old, right)
        for old, new, right in zip(step.configuration.heads, after.heads, gold, strict=True)
        if old not in (-1, new)
    ]
    if replaced:
        head, dependent = step.arc
        is_gold = gold[dependent - 1] == head
        counts.replacing += 1
        counts.gold += is_gold
        counts.harmful += not is_gold and any(old == right for old, right in replaced)


def _after(step: TraceStep, system: TransitionSystem) -> Configuration:
    after = step.configuration.copy()
    system.apply(after, step.move, step.label)
    return after


@dataclass(slots=True)
class _Gold:
    """The gold tree of a sentence, and the referee that judges by it."""

    heads: list[int]
    labels: list[str]
    referee: Referee
    left_out: set[int]            # words whose repairs are left out


class _Analysis:
    """Follows the parses of one sentence after the other, and adds up."""

    def __init__(self, model: Model, punctuation: bool) -> None:
        self.model = model
        self.system = model.parser.system
        self.oracle = oracles.of(self.system, BOUND if oracles.bounds(self.system.name) else "dynamic", prefer=PREFER)
        self.punctuation = punctuation
        self.counts = RepairCounts()
        self.kinds = {kind: Outcomes() for kind in self.system.repairing}
        self.labels: dict[tuple[str | None, str], LabelChange] = {}
        self.gain = 0
        self.words = 0
        self.lifted = 0

    def follow(self, sentence: Sentence) -> None:
        """Follow the parser through a sentence."""
        self.counts.sentences += 1
        self.words += len(sentence)
        gold = self._gold(sentence) if self.kinds else None
        for step in self.model.trace(sentence, policy=False):
            _count(self.counts, step, self.system, sentence.heads)
            if gold:
                self._judge(step, gold)

    def _gold(self, sentence: Sentence) -> _Gold:
        heads, labels = [word.head or 0 for word in sentence.words], [word.deprel for word in sentence.words]
        left_out = set() if self.punctuation else {word.id for word in sentence.words if word.upos == PUNCTUATION}
        if not self.oracle.derives(heads):
            encoding = self.model.parser.nonprojective
            heads, labels = lift(heads, labels, encoding) if encoding in ENCODINGS else (projectivise(heads), labels)
            self.lifted += heads != sentence.heads
        return _Gold(heads, labels, Referee(self.oracle, heads), left_out)

    def _judge(self, step: TraceStep, gold: _Gold) -> None:
        for kind, word, outcome in gold.referee.judge(step.configuration, step.move):
            if word not in gold.left_out:
                self.kinds[kind].add(outcome)
        if step.repair and step.arc and step.arc[1] not in gold.left_out:
            self._record_change(step, step.arc, gold)

    def _record_change(self, step: TraceStep, arc: tuple[int, int], gold: _Gold) -> None:
        """Record what a repair changed with its arc."""
        head, dependent = arc
        for old, new, right in zip(
            self._heads(step.configuration), self._heads(_after(step, self.system)), gold.heads, strict=True
        ):
            self.gain += (new == right) - (old == right)
        key = step.configuration.labels[dependent - 1], step.label or ""
        change = self.labels.setdefault(key, LabelChange(*key))
        is_right = gold.heads[dependent - 1] == head
        change.count += 1
        change.head_right += is_right
        change.label_right += is_right and gold.labels[dependent - 1] == step.label

    def _heads(self, c: Configuration) -> list[int]:
        """Return the heads. In Covington's parser a word without a head gets the root, as at the end of a parse."""
        return [max(head, 0) for head in c.heads] if self.system.has_pairs else c.heads

    def result(self) -> Repairs:
        """Return the result."""
        labels = sorted(self.labels.values(), key=lambda change: (-change.count, change.old or "", change.new))
        return Repairs(self.counts, self.kinds, labels, self.gain, self._oracle_name(), self._conditions())

    def _oracle_name(self) -> str:
        if not self.kinds:
            return f"none: {self.system.name} has no repairs"
        return f"{self.oracle.kind}{', a bound of the loss' if self.oracle.kind == BOUND else ''}; {PREFER}"

    def _conditions(self) -> str:
        width = self.model.parser.width
        parts = [
            "Transitions of the parser, before the single-root policy",
            "greedy search" if width == 1 else f"beam size {width}",
            "tags as given",
            "punctuation counted" if self.punctuation else "repairs of punctuation (gold UPOS PUNCT) left out",
            "label subtypes compared",
            f"gold trees lifted: {self.lifted:,}",
            f"sentences: {self.counts.sentences:,}",
            f"words: {self.words:,}",
        ]
        return "; ".join(parts) + "."
