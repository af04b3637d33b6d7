"""A parse step by step: what the parser saw, what it scored, what it did and, where the gold tree is known, what that cost."""

from dataclasses import dataclass, field

from gardenpath.core.configuration cimport NONE
from gardenpath.features.encoding cimport Batch, EncodedSentence
from gardenpath.search.greedy cimport Choice, GreedyParser, Workspace
from gardenpath.systems.base cimport Configuration, TransitionSystem

from gardenpath.errors import UsageError
from gardenpath.pseudo import ENCODINGS, lower

SINGLE_ROOT = "single-root"
LOWER = "lower"


@dataclass(slots=True)
class TraceStep:
    """One move: the configuration before it, the move, its score and the best score of each permitted move, and the costs if gold is known."""

    configuration: Configuration
    move: str
    label: str | None
    arc: tuple[int, int] | None             # head and child of the arc it builds
    repair: bool
    score: float | None = None              # None where nothing was scored: the move was the only one, or an oracle's
    scores: dict[str, float] = field(default_factory=dict)
    labels: dict[str, str | None] = field(default_factory=dict)     # that each permitted move would have
    given: bool = False                     # did a guide name it?
    loss: int | None = None
    costs: dict[str, int] | None = None

    @property
    def text(self) -> str:
        """The move as people write it: `LEFT-ARC(nsubj)`."""
        return self.move.upper() + (f"({self.label})" if self.label else "")


def trace_parser(GreedyParser parser, words, bint policy=False, guide=None):
    """The moves of the parser on a tagged sentence, one after the other; with `policy` also what is changed after the last one.

    A `guide` may name moves to be made in place of the parser's own; a beam is then searched anew from there.
    """
    cdef Batch batch = parser.encoder.encode([words])
    cdef const EncodedSentence* sentence = &batch.sentences[0]
    cdef Workspace space = parser.workspace()
    cdef Configuration before
    cdef Choice choice
    cdef bint is_elsewhere = False          # than the parser would be by itself
    parser.begin(space, sentence)
    while not parser.system.is_terminal(&space.c):
        before = parser.snapshot(space)
        named = guide(before) if guide else None
        score, scores, labels = None, {}, {}
        if parser.only_choice(space, &choice) and (named is None or named[0] == parser.system.name_of(&space.c, choice.move)):
            parser.system.apply_move(&space.c, choice.move, choice.label)
        else:
            parser.look(space, sentence)
            scores, labels = _best_of_each(parser, space, sentence)
            if named is not None:
                choice = _class_of(parser, space, sentence, before, named)
                is_elsewhere = True
            else:
                if is_elsewhere:
                    parser.resume(space, sentence)
                    is_elsewhere = False
                choice = parser.best(space, sentence)
            score = choice.score
            parser.make(space, choice)
        arc = parser.system.arc_of(before, choice.move)
        # A Reduce that attaches its word gives it the label remembered at its Shift.
        label = choice.label if choice.label != NONE or not arc else space.c.labels[arc[1]]
        yield TraceStep(
            before, parser.system.name_of(&before.c, choice.move), _label(parser, label), arc,
            parser.system.repairs(&before.c, choice.move), score, scores, labels, named is not None,
        )
    if policy:
        yield from _last_steps(parser, space)


cdef tuple _best_of_each(GreedyParser parser, Workspace space, const EncodedSentence* sentence):
    """The best score of each permitted move, and its label."""
    cdef Choice candidate
    cdef int i
    scores, labels = {}, {}
    for i in range(space.move_count):
        candidate.index = NONE
        parser.consider(space, sentence, space.moves[i], &candidate)
        name = parser.system.name_of(&space.c, candidate.move)
        scores[name] = candidate.score
        labels[name] = _label(parser, candidate.label)
    return scores, labels


cdef Choice _class_of(GreedyParser parser, Workspace space, const EncodedSentence* sentence, Configuration before, named) except *:
    """The class of a named move, with its label if it has one of that name, else with the best label."""
    cdef Choice choice
    cdef int group, i
    name, label = named
    choice.index = NONE
    parser.consider(space, sentence, parser.system._permitted(before, name), &choice)
    if label is not None and choice.label != NONE:
        group = parser.classes.group(&space.c, choice.move)
        known = {parser.classes.labels[parser.classes.label_of[i]]: i for i in range(parser.classes.first[group], parser.classes.end[group])}
        if label not in known:
            raise UsageError(f"{name} has no label {label!r} in this model; it has {', '.join(sorted(known))}")
        choice.index = known[label]
        choice.label = parser.classes.label_of[choice.index]
        choice.score = parser.scores_of(space, sentence, choice.move)[choice.index]
    parser.note_refused(space, sentence, choice)
    return choice


cdef _label(GreedyParser parser, int label):
    return parser.classes.labels[label] if label != NONE else None


def _last_steps(GreedyParser parser, Workspace space):
    """What is changed when all moves are made: by the single-root policy, and arcs that are lowered; each as a step of that name."""
    cdef Configuration before = parser.snapshot(space), after
    cdef int word
    if parser.single_root and not parser.system.single_root:
        parser.finish(space)
        for word in range(1, space.c.n + 1):
            if space.c.heads[word] != before.c.heads[word]:
                yield TraceStep(before, SINGLE_ROOT, parser.classes.labels[space.c.labels[word]], (space.c.heads[word], word), False)
    if parser.nonprojective in ENCODINGS:
        after = parser.snapshot(space)
        for word, (old, new, label) in enumerate(zip(after.heads, *lower(after.heads, after.labels, parser.nonprojective)), 1):
            if new != old:
                yield TraceStep(after, LOWER, label, (new, word), False)


def trace_oracle(oracle, gold, labels, guide=None):
    """The moves of an oracle on the way to the gold tree: its first accepted move each time, unless a `guide` names another."""
    cdef TransitionSystem system = oracle.system
    cdef Configuration c = system.initial(len(gold))
    while not system.is_final(c):
        named = guide(c) if guide else None
        move, label = named or (oracle.training(c, gold)[0], None)
        arc = system.arc(c, move)
        if arc and label is None:
            label = labels[arc[1] - 1]
        yield TraceStep(c.copy(), move, label if arc else None, arc, system.is_repair(c, move), given=named is not None)
        system.apply(c, move, label)


def with_costs(steps, oracle, gold):
    """The same steps with the loss before each and the cost of every permitted move."""
    for step in steps:
        step.loss = oracle.loss(step.configuration, gold)
        step.costs = oracle.costs(step.configuration, gold)     # none at the end, where only the policy acts
        yield step
