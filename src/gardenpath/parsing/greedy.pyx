# cython: boundscheck=False, wraparound=False
"""Greedy search over several sentences at once.

One call scores the configurations of several sentences, up to the maximum of the session.
"""

from libc.stdlib cimport calloc, free

from gardenpath.parsing.hypothesis cimport Hypothesis, release_hypothesis
from gardenpath.parsing.scorer cimport EncodedBatch, Scorer


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

    cdef int run(self, const int* sentences, int count) except -1 nogil:
        """Parse the sentences with these numbers."""
        cdef Hypothesis* h
        cdef int i
        self.waiting.clear()
        self.session.begin(sentences, count)
        for i in range(count):
            h = &self.hypotheses[i]
            self.start(h, sentences[i])
            self.run_ahead(h)
            if not h.is_finished:
                self.waiting.push_back(h)
        while self.waiting.size():
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
