# cython: boundscheck=False, wraparound=False
"""Binary decisions of the segmenter: a perceptron with one class, in inference and in training."""

from libc.stdint cimport int32_t, uint8_t

from gardenpath.core.configuration cimport NONE
from gardenpath.perceptron.growing cimport GrowingWeights
from gardenpath.perceptron.weights cimport Weights


cdef class Decision:
    """Decides whether a token or a sentence ends at a place: it does if the score is positive."""

    def __cinit__(self, Weights weights, *_):
        self.weights = weights
        self.learns = False

    cdef bint decide(self, const Features* features, int place) except -1 nogil:
        """Decide from the features. Only training uses the place, to look up the gold decision."""
        cdef int32_t scores[16]
        self.weights.score(features.keys, features.count, scores)
        return scores[0] > 0


cdef class Lesson(Decision):
    """A decision in training. The gold decision is positive where the value in `gold` is `least` or more.

    The weights are updated if the score does not exceed the margin on the gold side. Ends and other places have
    separate margins. The decision returned is the predicted one, so later features depend on predicted decisions, as
    they do in inference.
    """

    def __cinit__(
        self, GrowingWeights weights, const uint8_t[::1] gold, int least, int margin_of_ends, int margin_of_others
    ):
        self.growing = weights
        self.learns = True
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
