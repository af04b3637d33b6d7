# cython: boundscheck=False, wraparound=False
"""Decisions of the segmenter: a perceptron with one class, and the same while it learns."""

from libc.stdint cimport int32_t, uint8_t

from gardenpath.core.configuration cimport NONE
from gardenpath.perceptron.growing cimport GrowingWeights
from gardenpath.perceptron.weights cimport Weights


cdef class Decision:
    """Whether something ends at a place: a positive score says yes."""

    def __cinit__(self, Weights weights, *_):
        self.weights = weights

    cdef bint decide(self, const Features* features, int place) except -1 nogil:
        """The answer to these features; the place is for those who know the right one."""
        cdef int32_t scores[16]
        self.weights.score(features.keys, features.count, scores)
        return scores[0] > 0


cdef class Lesson(Decision):
    """A decision that learns from each answer: the right one is yes where `gold` is `least` or more.

    It learns where the score is not on the right side by more than a margin, which is one for ends and one for other places. It answers what it thinks, so that
    what follows is learnt from its own past.
    """

    def __cinit__(self, GrowingWeights weights, const uint8_t[::1] gold, int least, int margin_of_ends, int margin_of_others):
        self.growing = weights
        self.gold = gold
        self.least = least
        self.margin_of_ends, self.margin_of_others = margin_of_ends, margin_of_others

    cdef bint decide(self, const Features* features, int place) except -1 nogil:
        cdef int32_t scores[16]
        cdef bint is_end = self.gold[self.offset + place] >= self.least
        self.weights.score(features.keys, features.count, scores)
        self.steps += 1
        if is_end and scores[0] <= self.margin_of_ends:
            self.growing.update(features.keys, features.count, 0, NONE, self.steps)
        elif not is_end and -scores[0] <= self.margin_of_others:
            self.growing.update(features.keys, features.count, NONE, 0, self.steps)
        return scores[0] > 0
