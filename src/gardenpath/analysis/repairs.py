"""What a non-monotonic parser makes of its second thoughts: how often it takes something back, whether that was a good idea, and what it mends by it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from gardenpath import oracles
from gardenpath.formats.document import Sentence
from gardenpath.errors import InputError
from gardenpath.analysis.opportunities import Outcomes, can_repair
from gardenpath.analysis.referee import Referee
from gardenpath.evaluation.scores import percent
from gardenpath.models.model import Model
from gardenpath.pseudo import ENCODINGS, lift
from gardenpath.search.trace import TraceStep
from gardenpath.systems import Configuration, TransitionSystem
from gardenpath.trees import find_problems, projectivise

__all__ = ["LabelChange", "Outcomes", "RepairCounts", "Repairs", "analyse_repairs", "can_repair", "count_repairs"]

BOUND = "pc-upper"            # the judge where there is no exact one
PREFER = "repair-last"
PUNCTUATION = "PUNCT"


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


@dataclass(slots=True)
class LabelChange:
    """Arcs built by repairs: the label of the arc that went (None: the word had no head) and the new one, and how many of the new arcs are right."""

    old: str | None
    new: str
    count: int = 0
    head_right: int = 0
    label_right: int = 0          # head and label


@dataclass(slots=True)
class Repairs:
    """What a parser takes back, over a treebank, beside what it should have.

    `kinds` has, for each kind of move that can be a repair, the outcomes of its opportunities; `labels` what arcs were built by repairs, the most frequent
    first; `gain` how many words had a wrong head before a repair and the right one after it, less those of which the reverse holds. `oracle` and
    `conditions` say what this goes by. For a system that takes nothing back, there are counts only.
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
        """Everything as plain values, for JSON."""
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
    """Parse tagged sentences, whose HEAD holds the gold tree, move by move; they stay as they are."""
    counts = RepairCounts()
    for sentence in _trees(sentences):
        counts.sentences += 1
        for step in model.trace(sentence, policy=False):
            _count(counts, step, model.parser.system, sentence.heads)
    return counts


def analyse_repairs(model: Model, sentences: Iterable[Sentence], punctuation: bool = True) -> Repairs:
    """Parse tagged sentences, whose HEAD and DEPREL hold the gold tree, move by move, and judge every repair and every chance of one.

    The judge is the dynamic oracle of the system, whatever the model was trained with, so that models can be compared. A tree that the system cannot build
    is lifted as for training. `punctuation=False` leaves out repairs, made or possible, that are about a word that gold tags PUNCT; `counts` are always of
    all moves.
    """
    analysis = _Analysis(model, punctuation)
    for sentence in _trees(sentences):
        analysis.look_at(sentence)
    return analysis.result()


def _trees(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """The sentences as they come, each seen to have a tree."""
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
    replaced = [(old, right) for old, new, right in zip(step.configuration.heads, after.heads, gold, strict=True) if old not in (-1, new)]
    if replaced:
        head, child = step.arc
        is_gold = gold[child - 1] == head
        counts.replacing += 1
        counts.gold += is_gold
        counts.harmful += not is_gold and any(old == right for old, right in replaced)


def _after(step: TraceStep, system: TransitionSystem) -> Configuration:
    after = step.configuration.copy()
    system.apply(after, step.move, step.label)
    return after


@dataclass(slots=True)
class _Gold:
    """The tree that a sentence is judged by, and who judges."""

    heads: list[int]
    labels: list[str]
    referee: Referee
    left_out: set[int]            # words that no repair is to be about


class _Analysis:
    """Walks over the parses of one sentence after the other, and adds up."""

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

    def look_at(self, sentence: Sentence) -> None:
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
            self._weigh(step, step.arc, gold)

    def _weigh(self, step: TraceStep, arc: tuple[int, int], gold: _Gold) -> None:
        """Note what a repair has changed by its arc."""
        head, child = arc
        for old, new, right in zip(self._heads(step.configuration), self._heads(_after(step, self.system)), gold.heads, strict=True):
            self.gain += (new == right) - (old == right)
        key = step.configuration.labels[child - 1], step.label or ""
        change = self.labels.setdefault(key, LabelChange(*key))
        is_right = gold.heads[child - 1] == head
        change.count += 1
        change.head_right += is_right
        change.label_right += is_right and gold.labels[child - 1] == step.label

    def _heads(self, c: Configuration) -> list[int]:
        """The heads, with words that have none hanging from the root where they will do so in the end unless they get another: in Covington's parser."""
        return [max(head, 0) for head in c.heads] if self.system.has_pairs else c.heads

    def result(self) -> Repairs:
        """What has been found."""
        labels = sorted(self.labels.values(), key=lambda change: (-change.count, change.old or "", change.new))
        return Repairs(self.counts, self.kinds, labels, self.gain, self._oracle_name(), self._conditions())

    def _oracle_name(self) -> str:
        if not self.kinds:
            return f"not asked: {self.system.name} takes nothing back"
        return f"{self.oracle.kind}{', a bound of the loss' if self.oracle.kind == BOUND else ''}; {PREFER}"

    def _conditions(self) -> str:
        width = self.model.parser.width
        parts = [
            "The parser's own moves, before the single-root policy",
            "greedy search" if width == 1 else f"a beam of {width}",
            "tags as given",
            "punctuation counted" if self.punctuation else "repairs of punctuation (gold UPOS PUNCT) left out",
            "label subtypes compared",
            f"gold trees lifted: {self.lifted:,}",
            f"sentences: {self.counts.sentences:,}",
            f"words: {self.words:,}",
        ]
        return "; ".join(parts) + "."
