"""From margins to probabilities."""

from gardenpath.core.margins cimport ArcMargins, TagMargins

cdef enum:             # what has a probability; FOCUS is a further kind of margin
    UPOS
    TAG
    HEAD
    LABEL
    TARGETS
    FOCUS = TARGETS
    MARGINS

cdef enum:
    MOST_FEATURES = 8

cdef struct WordMargins:
    TagMargins tags
    ArcMargins arc
    float head_focus       # the focus margin of the head, INFINITY for the root
    int distance           # from the word to its head, 0 for the root


cdef class Calibration:
    cdef readonly dict record
    cdef double scales[MARGINS]
    cdef double weights[TARGETS][MOST_FEATURES]
    cdef bint is_known[TARGETS]

    cdef void write(self, const WordMargins* margins, double* probabilities) noexcept nogil
    cdef double _probability(self, int target, const WordMargins* margins) noexcept nogil
    cdef confidence(self, const WordMargins* margins, tagged)


cdef int write_features(int target, const double* scales, const WordMargins* margins, double* x) noexcept nogil
