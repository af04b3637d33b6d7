"""Whole derivations of a sentence, by a model or an oracle: every step, the arcs before it, and the result."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from gardenpath import oracles, systems
from gardenpath.errors import InputError, UsageError
from gardenpath.formats.document import Sentence
from gardenpath.parsing.given import PARTIAL, HeadPolicy
from gardenpath.parsing.guides import Guide, Named, by_moves, by_oracle
from gardenpath.parsing.parser import Parser
from gardenpath.parsing.trace import LOWER, SINGLE_ROOT, TraceStep, trace_oracle, with_costs
from gardenpath.pseudo import ENCODINGS, bare
from gardenpath.systems import Configuration, TransitionSystem
from gardenpath.trees import find_problems, projectivise

POLICIES = (SINGLE_ROOT, LOWER)                 # names of the steps after the last transition
Tree = dict[int, tuple[int, str | None]]        # head and label by dependent


class TraceableModel(Protocol):
    """The part of a model that a derivation needs."""

    @property
    def parser(self) -> Parser:
        """The parser of the model."""

    def with_tags(self, sentence: Sentence) -> Sentence:
        """Return a sentence whose missing tags are filled in."""

    def trace(
        self, sentence: Sentence, *, policy: bool = True, guide: Guide | None = None,
        reasons: bool | Container[int] = False, keep_heads: bool | None = None, drop_conflicts: bool = False,
    ) -> Iterator[TraceStep]:
        """Parse a sentence step by step."""


@dataclass(frozen=True, slots=True)
class Derivation:
    """The steps of a derivation, and its result."""

    sentence: Sentence
    system: TransitionSystem
    steps: list[TraceStep]
    final: Configuration                # after the last transition
    trees: list[Tree]                   # the arcs before each step, then those after the last step
    gold: list[int] | None              # the gold tree, if the steps have costs
    lifted: bool                        # whether arcs of the gold tree were lifted because the system cannot build them
    oracle: str | None                  # the kind of the oracle that was followed, if any

    def parse(self) -> Sentence:
        """Return a copy of the sentence with the resulting tree."""
        result = deepcopy(self.sentence)
        for word in result.words:
            head, label = self.trees[-1].get(word.id, (None, None))
            word.head, word.deprel = head, label or "_"
        return result


@dataclass(frozen=True, slots=True)
class Course:
    """The choice of transitions: first the `given` ones, then those of the model or of an oracle.

    The oracle is used if there is no model, or with `by_oracle`. After given transitions, the dynamic oracle
    replaces an oracle that cannot continue after a wrong transition. `heads` tells which given heads a model keeps.
    """

    model: TraceableModel | None = None
    system: str | None = None
    oracle: str = "dynamic"
    given: Sequence[Named] = ()
    by_oracle: bool = False
    heads: HeadPolicy = PARTIAL

    @property
    def definition(self) -> TransitionSystem:
        """The system in the root mode of the parser."""
        if self.model is not None:
            return self.model.parser.system
        if self.system is None:
            raise UsageError("there is neither a model nor a system to follow; give a model or a system")
        return systems.for_parsing(self.system, single_root=True)

    @property
    def single_root(self) -> bool:
        """Whether trees must have a single root."""
        return self.model is None or self.model.parser.single_root

    @property
    def kind(self) -> str | None:
        """The kind of the oracle that is followed, if any."""
        if self.model is not None and not self.by_oracle:
            return None
        return "dynamic" if self.given and not oracles.explores(self.oracle) else self.oracle


def derive(
    sentence: Sentence, course: Course, *, gold: bool = False, reasons: bool = False,
    watch: Callable[[], None] | None = None,
) -> Derivation:
    """Derive a tree for a sentence.

    With `gold`, HEAD holds the gold tree, and the steps have losses and costs. With `reasons`, the steps of a model
    tell what spoke for them. `watch` is called at every step; an exception from it ends the derivation.
    """
    judge = oracles.of(course.definition, "dynamic")
    heads = gold_heads(sentence, judge, single_root=course.single_root) if gold or course.kind is not None else None
    steps: list[TraceStep] = []
    for step in _steps(sentence, course, heads, reasons):
        if watch is not None:
            watch()
        steps.extend(with_costs([step], judge, heads) if gold and heads else [step])
    final = _final(course.definition, steps)
    trees = [*_trees(course, steps, final)]
    is_lifted = heads is not None and heads != sentence.heads
    shown = heads if gold else None
    tagged = course.model.with_tags(sentence) if course.model is not None else sentence
    return Derivation(tagged, course.definition, steps, final, trees, shown, is_lifted, course.kind)


def explain(sentence: Sentence, course: Course, number: int) -> TraceStep:
    """Return one step of a derivation, numbered from 1, with its reasons. An oracle has none."""
    judge = oracles.of(course.definition, "dynamic")
    heads = gold_heads(sentence, judge, single_root=course.single_root) if course.kind is not None else None
    for step in islice(_steps(sentence, course, heads, {number}), max(number - 1, 0), max(number, 0)):
        return step
    raise UsageError(f"the derivation has no step {number}; give the number of a step, from 1")


def gold_heads(sentence: Sentence, oracle: oracles.Oracle, *, single_root: bool) -> list[int]:
    """Return the tree in HEAD. If the system cannot build it, crossing arcs are lifted as in training."""
    for problem in find_problems(sentence.heads, single_root=single_root):
        raise InputError(f"{sentence.where}: {problem.fault}; {problem.remedy}")
    heads = [word.head or 0 for word in sentence.words]
    return heads if oracle.derives(heads) else projectivise(heads)


def _steps(
    sentence: Sentence, course: Course, heads: list[int] | None, reasons: bool | Container[int],
) -> Iterator[TraceStep]:
    """Yield the steps of a course. Those with the numbers `reasons`, or all, have their reasons."""
    labels = [word.deprel for word in sentence.words]
    oracle = oracles.of(course.definition, course.kind) if course.kind is not None else None
    if course.model is None:
        assert oracle is not None
        assert heads is not None
        return trace_oracle(oracle, heads, labels, by_moves(course.given) if course.given else None)
    then: Guide | None = by_oracle(oracle, heads, labels) if oracle is not None and heads is not None else None
    guide = by_moves(course.given, then) if course.given or then else None
    keep, drop_conflicts = course.heads
    return course.model.trace(
        sentence, guide=guide, reasons=reasons, keep_heads=keep, drop_conflicts=drop_conflicts,
    )


def _final(system: TransitionSystem, steps: list[TraceStep]) -> Configuration:
    """Return the configuration after the last transition."""
    c = steps[-1].configuration.copy()
    if steps[-1].move not in POLICIES:
        system.apply(c, steps[-1].move, steps[-1].label)
    return c


def _trees(course: Course, steps: list[TraceStep], final: Configuration) -> Iterator[Tree]:
    """Yield the arcs before each step, then those after the last step."""
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
        # An oracle does not label roots that the system attaches at the end.
        tree = {word: (head, label if head or label else "root") for word, (head, label) in tree.items()}
    elif course.model.parser.nonprojective in ENCODINGS:
        tree = {word: (head, bare(label or "")) for word, (head, label) in tree.items()}
    yield tree


def tree_in(c: Configuration) -> Tree:
    """Return the heads and labels of the words of a configuration that have a head."""
    arcs = enumerate(zip(c.heads, c.labels, strict=True), 1)
    return {word: (head, label) for word, (head, label) in arcs if head >= 0}
