"""A derivation from beginning to end: who moved, every step with what it changed, and what came out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gardenpath import oracles, systems
from gardenpath.errors import InputError, UsageError
from gardenpath.formats.document import Sentence
from gardenpath.pseudo import ENCODINGS, bare
from gardenpath.search.guides import Guide, Named, by_moves, by_oracle
from gardenpath.search.trace import LOWER, SINGLE_ROOT, TraceStep, trace_oracle, with_costs
from gardenpath.systems import Configuration, TransitionSystem
from gardenpath.trees import find_problems, projectivise

if TYPE_CHECKING:
    from gardenpath.models import Model

POLICIES = (SINGLE_ROOT, LOWER)        # steps that are no moves, after the last one
Tree = dict[int, tuple[int, str | None]]        # head and label by dependent


@dataclass(frozen=True, slots=True)
class Derivation:
    """The steps of a parse of a sentence, and what came out."""

    sentence: Sentence
    system: TransitionSystem
    steps: list[TraceStep]
    final: Configuration                # after the last move
    trees: list[Tree]                   # the arcs before each step, and at last those after all
    gold: list[int] | None              # the tree that costs are told by, if they are
    lifted: bool                        # has that one arcs that the system cannot build, so that they were lifted?
    oracle: str | None                  # the kind of the oracle that moved, if one did

    def parse(self) -> Sentence:
        """The sentence with the tree that came out."""
        result = deepcopy(self.sentence)
        for word in result.words:
            head, label = self.trees[-1].get(word.id, (None, None))
            word.head, word.deprel = head, label or "_"
        return result


@dataclass(frozen=True, slots=True)
class Course:
    """Who moves: the moves that are `given` first; then the model, or, without one or with `by_oracle`, the oracle of that kind.

    An oracle that only knows the way of its own moves gives way to the dynamic one after others.
    """

    model: Model | None = None
    system: str | None = None
    oracle: str = "dynamic"
    given: Sequence[Named] = ()
    by_oracle: bool = False

    @property
    def definition(self) -> TransitionSystem:
        """The system, in the mode that a parser uses it in."""
        if self.model is not None:
            return self.model.parser.system
        if self.system is None:
            raise UsageError("give a model or a system to follow")
        return systems.for_parsing(self.system, single_root=True)

    @property
    def single_root(self) -> bool:
        """Must trees have one root?"""
        return self.model is None or self.model.parser.single_root

    @property
    def kind(self) -> str | None:
        """The kind of the oracle that moves, if one does."""
        if self.model is not None and not self.by_oracle:
            return None
        return "dynamic" if self.given and not oracles.explores(self.oracle) else self.oracle


def derive(sentence: Sentence, course: Course, *, gold: bool = False, watch: Callable[[], None] | None = None) -> Derivation:
    """Follow a course to its end. With `gold`, HEAD holds the gold tree, and losses and costs are told. `watch` is called at every step, and may raise."""
    judge = oracles.of(course.definition, "dynamic")
    heads = gold_heads(sentence, judge, single_root=course.single_root) if gold or course.kind else None
    steps: list[TraceStep] = []
    for step in _steps(sentence, course, heads):
        if watch is not None:
            watch()
        steps.extend(with_costs([step], judge, heads) if gold and heads else [step])
    final = _final(course.definition, steps)
    is_lifted = heads is not None and heads != sentence.heads
    return Derivation(sentence, course.definition, steps, final, [*_trees(course, steps, final)], heads if gold else None, is_lifted, course.kind)


def gold_heads(sentence: Sentence, oracle: oracles.Oracle, *, single_root: bool) -> list[int]:
    """The tree in HEAD; if the system cannot build it, with its crossing arcs lifted as in training."""
    for problem in find_problems(sentence.heads, single_root=single_root):
        raise InputError(f"{sentence.where}: {problem.fault}; {problem.remedy}")
    heads = [word.head or 0 for word in sentence.words]
    return heads if oracle.derives(heads) else projectivise(heads)


def _steps(sentence: Sentence, course: Course, heads: list[int] | None) -> Iterator[TraceStep]:
    """The steps as they are made."""
    labels = [word.deprel for word in sentence.words]
    oracle = oracles.of(course.definition, course.kind) if course.kind else None
    if course.model is None:
        assert oracle is not None
        assert heads is not None
        return trace_oracle(oracle, heads, labels, by_moves(course.given) if course.given else None)
    then: Guide | None = by_oracle(oracle, heads, labels) if oracle is not None and heads is not None else None
    return course.model.trace(sentence, guide=by_moves(course.given, then) if course.given or then else None)


def _final(system: TransitionSystem, steps: list[TraceStep]) -> Configuration:
    """The configuration after the last move."""
    c = steps[-1].configuration.copy()
    if steps[-1].move not in POLICIES:
        system.apply(c, steps[-1].move, steps[-1].label)
    return c


def _trees(course: Course, steps: list[TraceStep], final: Configuration) -> Iterator[Tree]:
    """The arcs before each step, and at last those after all."""
    for step in steps:
        if step.move in POLICIES:
            break
        yield tree_in(step.configuration)
    tree = tree_in(final)
    for step in steps:
        if step.move in POLICIES and step.arc:
            yield dict(tree)
            tree[step.arc[1]] = step.arc[0], step.label
    if course.model is None:
        tree = {child: (head, label if head or label else "root") for child, (head, label) in tree.items()}       # roots that no move has labelled
    elif course.model.parser.nonprojective in ENCODINGS:
        tree = {child: (head, bare(label or "")) for child, (head, label) in tree.items()}
    yield tree


def tree_in(c: Configuration) -> Tree:
    """The arcs of a configuration: heads and labels of the words that have a head."""
    return {word: (head, label) for word, (head, label) in enumerate(zip(c.heads, c.labels, strict=True), 1) if head >= 0}
