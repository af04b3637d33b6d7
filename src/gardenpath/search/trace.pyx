"""A parse step by step: what the parser saw, what it scored, what it did and, where the gold tree is known, what that cost."""

from dataclasses import dataclass, field

from gardenpath.core.configuration cimport NONE
from gardenpath.core.encoding cimport Batch
from gardenpath.search.greedy cimport Choice, GreedyParser, Workspace
from gardenpath.systems.base cimport Configuration, TransitionSystem

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
    loss: int | None = None
    costs: dict[str, int] | None = None

    @property
    def text(self) -> str:
        """The move as people write it: `LEFT-ARC(nsubj)`."""
        return self.move.upper() + (f"({self.label})" if self.label else "")


cdef tuple _arc(TransitionSystem system, Configuration c, int move):
    if not system.builds_arc(&c.c, move):
        return None
    return system.arc_head(&c.c, move), system.arc_child(&c.c, move)


def trace_parser(GreedyParser parser, words, bint policy=False):
    """The moves of the parser on a tagged sentence, one after the other; with `policy` also what is changed after the last one."""
    cdef Batch batch = parser.encoder.encode([words])
    cdef Workspace space = parser.workspace()
    cdef Configuration before
    cdef Choice choice
    cdef Choice candidate
    cdef int i
    parser.begin(space, &batch.sentences[0])
    while not parser.system.is_terminal(&space.c):
        before = parser.snapshot(space)
        score, scores = None, {}
        if parser.only_choice(space, &choice):
            parser.system.apply_move(&space.c, choice.move, choice.label)
        else:
            parser.look(space, &batch.sentences[0])
            choice = parser.best(space, &batch.sentences[0])
            score = choice.score
            for i in range(space.move_count):
                candidate.index = NONE
                parser.consider(space, &batch.sentences[0], space.moves[i], &candidate)
                scores[parser.system.name_of(&space.c, candidate.move)] = candidate.score
            parser.make(space, choice)
        label = choice.label
        arc = _arc(parser.system, before, choice.move)
        if arc and label == NONE:
            label = space.c.labels[arc[1]]        # a Reduce that attaches its word gives it the label remembered at its Shift
        yield TraceStep(
            before, parser.system.name_of(&before.c, choice.move), parser.classes.labels[label] if label != NONE else None, arc,
            parser.system.repairs(&before.c, choice.move), score, scores,
        )
    if policy:
        yield from _last_steps(parser, space)


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


def trace_oracle(oracle, gold, labels):
    """The moves of an oracle on the way to the gold tree: its first accepted move each time."""
    cdef TransitionSystem system = oracle.system
    cdef Configuration c = system.initial(len(gold))
    while not system.is_final(c):
        move = oracle.training(c, gold)[0]
        arc = _arc(system, c, system.named(c)[move])
        label = labels[arc[1] - 1] if arc else None
        yield TraceStep(c.copy(), move, label, arc, system.is_repair(c, move))
        system.apply(c, move, label)


def with_costs(steps, oracle, gold):
    """The same steps with the loss before each and the cost of every permitted move."""
    for step in steps:
        step.loss = oracle.loss(step.configuration, gold)
        step.costs = oracle.costs(step.configuration, gold)     # none at the end, where only the policy acts
        yield step
