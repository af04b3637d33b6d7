# cython: boundscheck=False, wraparound=False
"""Greedy search over several sentences at once.

One call scores the configurations of several sentences, up to the maximum of the session.
"""

from libc.stdlib cimport calloc, free

from gardenpath.constraints.base cimport Constraint, GivenBatch
from gardenpath.parsing.hypothesis cimport Choice, Hypothesis, release_hypothesis
from gardenpath.parsing.scorer cimport EncodedBatch, Scorer
from gardenpath.parsing.stopping cimport CHECKED_STEPS, checked


cdef class Greedy(Search):
    """One derivation per sentence, for up to `size` sentences at once.

    The derivation of the i-th sentence of a call is `hypotheses[i]`.
    """

    def __cinit__(self, Scorer scorer, EncodedBatch batch, bint single_root, int size):
        cdef int i
        self.prepare(scorer, batch, scorer.open(batch, size, size == 1), single_root)
        self.hypotheses = <Hypothesis*>calloc(size + 1, sizeof(Hypothesis))
        if self.hypotheses == NULL:
            raise MemoryError(f"no memory for {size} derivations")
        self.size = size
        for i in range(size):
            self.hypotheses[i].slot = i

    def __dealloc__(self):
        cdef int i
        if self.hypotheses != NULL:
            for i in range(self.size):
                release_hypothesis(&self.hypotheses[i])
        free(self.hypotheses)

    cdef int respect(self, Constraint constraint, GivenBatch given) except -1:
        Search.respect(self, constraint, given)
        self.is_rough = constraint.restrict_roughly()
        return 0

    cdef int run(self, const int* sentences, int count) except -1 nogil:
        """Parse the sentences with these numbers."""
        cdef Hypothesis* h
        cdef int i, unchecked = 0
        self.waiting.clear()
        self.session.begin(sentences, count)
        for i in range(count):
            h = &self.hypotheses[i]
            self.start(h, sentences[i])
            self.run_ahead(h)
            if not h.is_finished:
                self.waiting.push_back(h)
        while self.waiting.size():
            unchecked = checked(unchecked + <int>self.waiting.size(), CHECKED_STEPS)
            self._advance()
        for i in range(count):
            self.finish(&self.hypotheses[i])
        return 0

    cdef int _advance(self) except -1 nogil:
        """Make one choice in every derivation that has not ended."""
        cdef Hypothesis* h
        cdef int i, first = 0, end, left = 0, count = <int>self.waiting.size()
        while first < count:
            end = first + min(self.session.rows, count - first)
            self.session.score(&self.waiting[first], end - first)
            for i in range(first, end):
                h = self.waiting[i]
                self.take(h, self.best(h), True)
                self.run_ahead(h)
                if not h.is_finished:
                    self.waiting[left] = h
                    left += 1
            first = end
        self.waiting.resize(left)
        return 0

    cdef Choice best(self, Hypothesis* h) noexcept nogil:
        """Return the best class of the transitions that the constraint prefers.

        If one transition is left, it is preferred, because a derivation is never stuck.
        """
        cdef Choice choice = Search.best(self, h)
        while self.is_rough and h.given != NULL and h.move_count > 1:
            if self.constraint.prefers(&h.c, h.given, choice.move):
                break
            self._remove(h, choice.move)
            choice = Search.best(self, h)
        return choice

    cdef void _remove(self, Hypothesis* h, int move) noexcept nogil:
        """Remove a transition from the list of a derivation."""
        cdef int i, left = 0
        for i in range(h.move_count):
            h.moves[left] = h.moves[i]
            left += h.moves[i] != move
        h.move_count = left
