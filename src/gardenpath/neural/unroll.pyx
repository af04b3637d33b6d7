"""Oracle derivations of a treebank, and the computations that score them."""

import numpy as np

from libc.stdint cimport int8_t, int64_t
from libc.string cimport memset
from libcpp.vector cimport vector

from gardenpath.neural.records cimport Records
from gardenpath.neural.session cimport INPUTS, NetworkScorer, NetworkSession
from gardenpath.oracles.base cimport Oracle
from gardenpath.parsing.base cimport Search
from gardenpath.parsing.hypothesis cimport Choice, Hypothesis, release_hypothesis
from gardenpath.parsing.scorer cimport Scorer, WordBatch, ZeroScorer
from gardenpath.parsing.walk cimport TrainingWalk

from gardenpath.errors import UsageError

cdef struct DerivationStep:
    Choice choice
    bint is_scored


cdef class OracleDerivations(TrainingWalk):
    """The derivations of gold trees, by an oracle that names one transition for each configuration."""

    cdef vector[DerivationStep] steps

    cdef int made(self, Choice choice, bint is_scored) except -1 nogil:
        cdef DerivationStep step
        step.choice, step.is_scored = choice, is_scored
        self.steps.push_back(step)
        return 0

    def derive(self, int number):
        """Return the derivation of a tree. Each row is a transition, its class, and whether it is scored."""
        cdef int i
        if not 0 <= number < self.gold.size:
            raise UsageError(f"there is no tree number {number}; trees are numbered from 0 to {self.gold.size - 1}")
        self.steps.clear()
        with nogil:
            self.walk(number)
        derivation = np.empty((self.steps.size(), 3), np.int32)
        cdef int[:, ::1] view = derivation
        for i in range(<int>self.steps.size()):
            view[i, 0] = self.steps[i].choice.move
            view[i, 1] = self.steps[i].choice.index
            view[i, 2] = self.steps[i].is_scored
        return derivation


def oracle_derivations(Scorer scorer, Oracle oracle, list sentences, list trees):
    """Return the oracle derivations of gold trees, with the system and the classes of a scorer."""
    return OracleDerivations(ZeroScorer(scorer.system, scorer.classes), oracle, sentences, trees)


cdef class Unrolled(Search):
    """Derivations of sentences, and the computations that score their configurations.

    `recorded` is a session with the recorded computations. `steps` has a record for each scored configuration: the ids
    of its inputs and the gold class.
    """

    cdef readonly NetworkSession recorded
    cdef readonly Records steps
    cdef vector[int8_t] marks

    def __init__(self, NetworkScorer scorer, list sentences, list derivations):
        cdef WordBatch batch = WordBatch(sentences)
        cdef Hypothesis h
        cdef int[:, ::1] moves
        cdef int i
        cdef int[::1] numbers = np.arange(len(sentences) + 1, dtype=np.int32)
        self.recorded = NetworkSession(scorer, batch, 1, False)
        self.steps = Records(INPUTS + 1, 0, 0)
        self.prepare(scorer, batch, self.recorded, False)
        self.session.begin(&numbers[0], batch.size)
        memset(&h, 0, sizeof(Hypothesis))
        try:
            for i in range(batch.size):
                moves = derivations[i]
                with nogil:
                    self._follow(&h, i, moves)
        finally:
            release_hypothesis(&h)

    cdef int _follow(self, Hypothesis* h, int sentence, int[:, ::1] moves) except -1 nogil:
        """Apply the transitions of a derivation, which may be incomplete."""
        cdef int64_t[INPUTS + 1] step
        cdef Choice choice
        cdef int i
        self.start(h, sentence)
        for i in range(moves.shape[0]):
            choice.move, choice.index = moves[i, 0], moves[i, 1]
            choice.label = self.classes.label_of[choice.index]
            choice.score = 0
            if moves[i, 2]:
                h.move_count = self.system.list_moves(&h.c, h.moves)
                self.recorded.inputs_of(h, step)
                step[INPUTS] = choice.index
                self.steps.add(step, sentence)
                self.marks.resize(self.marks.size() + self.classes.size)
                self.recorded.mark_valid(h, &self.marks[self.marks.size() - self.classes.size])
            self.take(h, choice, False)
        return 0

    @property
    def valid(self):
        """An array of booleans: for each scored configuration, whether each class is valid."""
        cdef int64_t i, classes = self.classes.size
        marks = np.empty((self.marks.size() // classes, classes), np.int8)
        cdef int8_t[:, ::1] view = marks
        for i in range(<int64_t>self.marks.size()):
            view[i // classes, i % classes] = self.marks[i]
        return marks.view(np.bool_)
