"""A parse step by step: configurations, scores, transitions and, if the gold tree is known, costs."""

from dataclasses import dataclass, field

from libc.math cimport INFINITY
from libcpp.algorithm cimport reverse
from libcpp.vector cimport vector

from gardenpath.constraints.base cimport GivenBatch
from gardenpath.core.configuration cimport NONE
from gardenpath.core.given_tags cimport GivenTags
from gardenpath.parsing.base cimport ClassRange
from gardenpath.parsing.beam cimport Beam, Link
from gardenpath.parsing.hypothesis cimport Choice, Hypothesis, release_hypothesis
from gardenpath.parsing.parser cimport Parser
from gardenpath.parsing.scorer cimport EncodedBatch, Scores, score_at
from gardenpath.systems.base cimport Configuration, TransitionSystem

from gardenpath import constraints
from gardenpath.errors import UsageError
from gardenpath.formats.document import EMPTY
from gardenpath.parsing.reasons import Comparison, printed

SINGLE_ROOT = "single-root"
LOWER = "lower"


@dataclass(slots=True)
class TraceStep:
    """One transition with the configuration before it and its score.

    `valid` has the names of the valid transitions that agree with the given heads, sorted, and `scores` the best score
    of each. `loss` and `costs` are filled in if the gold tree is known, `reasons` on request.
    """

    configuration: Configuration
    move: str
    label: str | None
    arc: tuple[int, int] | None             # head and dependent of the arc that it builds
    repair: bool
    score: float | None = None              # None if nothing was scored: a forced transition, or one of an oracle
    scores: dict[str, float] = field(default_factory=dict)
    labels: dict[str, str | None] = field(default_factory=dict)     # the label that each valid transition would have
    given: bool = False                     # whether a guide named it
    loss: int | None = None
    costs: dict[str, int] | None = None
    reasons: list[Comparison] = field(default_factory=list)         # against the other transitions, the best first
    valid: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The transition in printed form, such as `LEFT-ARC(nsubj)`."""
        return printed(self.move, self.label)


cdef class Tracer:
    """One derivation of one sentence, transition by transition.

    With a beam, the best derivation is the plan. After a choice by a guide, the beam searches again from there. `given`
    are the arcs to keep (`GivenArcs`), if any.
    """

    cdef Parser parser
    cdef list words
    cdef list kept                      # by word: the given head, or None
    cdef Beam beam                      # its session also scores the derivation; with width 1 the beam is never run
    cdef Hypothesis h
    cdef vector[Link] plan              # the transitions to come, the next one last
    cdef bint is_planned

    def __cinit__(self, Parser parser, words, given=None, GivenTags tags=None):
        cdef EncodedBatch batch = parser.scorer.encode_given([words], tags)
        cdef int sentence = 0
        if not batch.length(0):
            raise UsageError("a configuration needs at least one word, not 0")
        self.parser = parser
        self.words = list(words)
        self.kept = [None] * len(self.words) if given is None else given.heads
        self.beam = Beam(parser.scorer, batch, parser.single_root, parser.width, 1, 1)
        if given is not None:
            self.beam.respect(constraints.of(parser.system), GivenBatch([given]))
        self.beam.begin(&sentence, 1)
        if parser.width > 1:
            self._make_plan()
        self.h.slot = self.beam.room - 1
        self.beam.start(&self.h, 0)

    def __dealloc__(self):
        release_hypothesis(&self.h)

    def steps(self, guide, reasons=()):
        """Yield the transitions of the parser, or those that the guide names.

        `reasons` are the numbers of the steps that get their reasons, from 1, or True for all steps.
        """
        cdef TransitionSystem system = self.parser.system
        cdef Configuration before
        cdef Choice choice
        while not self.h.is_finished:
            before = self._snapshot()
            named = guide(before) if guide else None
            score, scores, labels, comparisons = None, {}, {}, []
            self.beam.find_forced(&self.h)
            valid = sorted(system.name_of(&self.h.c, self.h.moves[i]) for i in range(self.h.move_count))
            choice = self.h.forced
            if self.h.is_forced and (named is None or named[0] == system.name_of(&self.h.c, choice.move)):
                self.beam.take(&self.h, choice, False)
            else:
                self.beam.score(&self.h)
                scores, labels = self._best_of_each()
                self.beam.note(&self.h)
                choice = self._choose() if named is None else self._named(before, named)
                score = self._number(choice.score)
                if reasons is True or self.h.made + 1 in reasons:
                    comparisons = self._compare(choice)
                self.beam.take(&self.h, choice, True)
            arc = system.arc_of(before, choice.move)
            # A Reduce that attaches its word gives it the label remembered at its Shift.
            label = self._label(choice.label if choice.label != NONE or not arc else self.h.c.labels[arc[1]])
            yield TraceStep(
                before, system.name_of(&before.c, choice.move), arc and self._given_label(arc[1]) or label, arc,
                system.repairs(&before.c, choice.move), score, scores, labels, named is not None,
                reasons=comparisons, valid=valid,
            )

    cdef Configuration _snapshot(self):
        """A copy of the configuration, in which words with a given head have the label that they keep."""
        cdef Configuration copy = self.beam.classes.snapshot(&self.h.c)
        cdef int word
        for word, head in enumerate(self.kept, 1):
            if head is not None and copy.c.labels[word] != NONE:
                label = self.parser._kept_label(self.words[word - 1], self._label(copy.c.labels[word]))
                copy.c.labels[word] = copy.label_of(label)
        return copy

    cdef _given_label(self, int word):
        """The given label of a word, None if its head or its label is not given."""
        if self.kept[word - 1] is None or self.words[word - 1].deprel == EMPTY:
            return None
        return self.words[word - 1].deprel

    cdef Choice _choose(self) except *:
        """The parser's own choice: the next one of the plan or, in greedy search, the best one."""
        cdef Choice choice
        cdef int i
        if self.parser.width == 1:
            choice.index = NONE
            for i in range(self.h.move_count):
                self.beam.consider(&self.h, self.h.moves[i], &choice)
            return choice
        if not self.is_planned:
            self.beam.begin_at(&self.h)
            self._make_plan()
        while self.plan.back().is_forced:
            self.plan.pop_back()
        choice = self.plan.back().choice
        self.plan.pop_back()
        # The score in the plan may differ in the last digits: the beam scored other configurations in the same call.
        choice.score = score_at(self.beam.session.scores_of(&self.h, choice.move), choice.index)
        return choice

    cdef int _make_plan(self) except -1:
        """Run the beam and store its best derivation as the plan."""
        self.beam.run()
        self.beam.path_of(self.beam.beams[0][0].link, &self.plan)
        reverse(self.plan.begin(), self.plan.end())
        self.is_planned = True
        return 0

    cdef Choice _named(self, Configuration before, tuple named) except *:
        """The class of a named transition, with that label if it has one, else with the best label."""
        cdef TransitionSystem system = self.parser.system
        cdef Choice choice
        cdef ClassRange found
        cdef int move, i
        name, label = named
        self.is_planned = False
        move = system._permitted(before, name)
        self._require_agreement(move, name, label)
        choice.index = NONE
        self.beam.consider(&self.h, move, &choice)
        if label is not None and choice.label != NONE and not self._is_labelled(move):
            found = self.beam.classes_of(&self.h, move)
            known = {self._label(self.beam.classes.label_of[i]): i for i in range(found.first, found.end)}
            if label not in known:
                raise UsageError(f"{name} has no label {label!r} in this model; it has {', '.join(sorted(known))}")
            choice.index = known[label]
            choice.label = self.beam.classes.label_of[choice.index]
            choice.score = score_at(self.beam.session.scores_of(&self.h, choice.move), choice.index)
        return choice

    cdef int _require_agreement(self, int move, name, label) except -1:
        """Raise `UsageError` if a named transition, or its label, contradicts what is given."""
        if self.h.given != NULL and not self.beam.constraint.allows(&self.h.c, self.h.given, move):
            raise UsageError(f"{name} contradicts the given heads; choose another transition, or parse without them")
        if label is not None and self._is_labelled(move):
            word = self.parser.system.arc_child(&self.h.c, move)
            if label != self._given_label(word):
                raise UsageError(f"the label of word {word} is given: {self._given_label(word)}, not {label}")
        return 0

    cdef bint _is_labelled(self, int move):
        """Whether the label of the arc that a transition builds is given."""
        cdef TransitionSystem system = self.parser.system
        return system.builds_arc(&self.h.c, move) and self._given_label(system.arc_child(&self.h.c, move)) is not None

    cdef tuple _best_of_each(self):
        """The best score of each valid transition, and its label."""
        cdef Choice candidate
        cdef int i
        scores, labels = {}, {}
        for i in range(self.h.move_count):
            candidate.index = NONE
            self.beam.consider(&self.h, self.h.moves[i], &candidate)
            name = self.parser.system.name_of(&self.h.c, candidate.move)
            scores[name] = self._number(candidate.score)
            labels[name] = self._label(candidate.label)
        return scores, labels

    cdef list _compare(self, Choice choice):
        """Compare a choice with the best other class of each valid transition, the best of them first."""
        cdef Choice other
        cdef int i
        compared = []
        for i in range(self.h.move_count):
            other = self._best_other(self.h.moves[i], choice)
            if other.index != NONE:
                found = self.beam.session.reasons(&self.h, choice, other, self.words)
                found.sort(key=lambda reason: -abs(reason.contribution))
                compared.append(Comparison(
                    self.parser.system.name_of(&self.h.c, other.move), self._label(other.label),
                    self._number(choice.score - other.score), found,
                ))
        compared.sort(key=lambda comparison: comparison.margin)
        return [comparison for comparison in compared if comparison.reasons]

    cdef Choice _best_other(self, int move, Choice choice) noexcept:
        """The best class of a transition, except the choice itself. Its index is NONE if there is none."""
        cdef Scores scores = self.beam.session.scores_of(&self.h, move)
        cdef ClassRange found = self.beam.classes_of(&self.h, move)
        cdef Choice best
        cdef int i
        best.move, best.label, best.index, best.score = move, NONE, NONE, -INFINITY
        for i in range(found.first, found.end):
            if (move != choice.move or i != choice.index) and score_at(scores, i) > best.score:
                best.index, best.label, best.score = i, self.beam.classes.label_of[i], score_at(scores, i)
        return best

    cdef _number(self, double score):
        """Return a score as a Python number: an int if the scorer has integer scores."""
        return int(score) if self.beam.session.scores_of(&self.h, self.h.moves[0]).whole != NULL else score

    cdef _label(self, int label):
        return self.parser.classes.labels[label] if label != NONE else None

    def last_steps(self):
        """Yield the changes after the last transition as steps: those of the single-root policy, and lowered arcs."""
        cdef Configuration before = self._snapshot(), after
        cdef int word
        self.beam.finish(&self.h)
        for word in range(1, self.h.c.n + 1):
            if self.h.c.heads[word] != before.c.heads[word]:
                arc = (self.h.c.heads[word], word)
                yield TraceStep(before, SINGLE_ROOT, self._label(self.h.c.labels[word]), arc, False)
        after = self._snapshot()
        for word, (old, new, label) in enumerate(zip(after.heads, *self.parser.lowered(after.heads, after.labels)), 1):
            if new != old:
                yield TraceStep(after, LOWER, label, (new, word), False)


def trace_parser(Parser parser, words, bint policy=False, guide=None, reasons=(), given=None, GivenTags tags=None):
    """Yield the transitions of the parser on a tagged sentence.

    With `policy`, also yield the changes that are made after the last transition. A `guide` may name transitions that
    replace the parser's own. `reasons` are the numbers of the steps that get their reasons, from 1, or True for all.
    `given` are the arcs to keep (`GivenArcs`), if any; `tags` is the same as for `Parser.parse`.
    """
    cdef Tracer tracer = Tracer(parser, words, given, tags)
    yield from tracer.steps(guide, reasons or ())
    if policy:
        yield from tracer.last_steps()


def trace_oracle(oracle, gold, labels, guide=None):
    """Yield the transitions of an oracle to the gold tree.

    Each is the alphabetically first one that the oracle accepts, unless a `guide` names another.
    """
    cdef TransitionSystem system = oracle.system
    cdef Configuration c = system.initial(len(gold))
    while not system.is_final(c):
        named = guide(c) if guide else None
        move, label = named or (oracle.training(c, gold)[0], None)
        arc = system.arc(c, move)
        if arc and label is None:
            label = labels[arc[1] - 1]
        yield TraceStep(
            c.copy(), move, label if arc else None, arc, system.is_repair(c, move), given=named is not None,
            valid=system.valid(c),
        )
        system.apply(c, move, label)


def with_costs(steps, oracle, gold):
    """Yield the same steps with the loss before each and the cost of every valid transition."""
    for step in steps:
        step.loss = oracle.loss(step.configuration, gold)
        step.costs = oracle.costs(step.configuration, gold)     # empty after the last transition
        yield step
