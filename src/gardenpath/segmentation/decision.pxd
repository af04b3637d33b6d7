"""Binary decisions of the segmenter."""

from libc.stdint cimport int64_t, uint8_t, uint64_t

from gardenpath.perceptron.growing cimport GrowingWeights
from gardenpath.perceptron.weights cimport Weights

cpdef enum:
    BINARY_CLASSES = 8         # a decision uses one class only; more are declared so that rows of weights stay sparse

cdef enum:
    MOST_FEATURES = 96

cdef struct Features:          # the keys of the extracted features
    uint64_t keys[MOST_FEATURES]
    int count


cdef inline uint64_t template(int number) noexcept nogil:
    """Return the value that the keys of a template start from."""
    return <uint64_t>(number + 1) * <uint64_t>0xD1B54A32D192ED03


cdef inline void add(Features* features, uint64_t key) noexcept nogil:
    """Add a key."""
    features.keys[features.count] = key
    features.count += 1


cdef class Decision:
    cdef Weights weights
    cdef bint learns           # whether each decision updates the weights

    cdef bint decide(self, const Features* features, int place) except -1 nogil


cdef class Lesson(Decision):
    cdef GrowingWeights growing
    cdef int margin_of_ends
    cdef int margin_of_others
    cdef readonly int64_t steps
    cdef const uint8_t[::1] gold
    cdef int least             # the smallest gold value that counts as an end
    cdef Py_ssize_t offset     # index of the first gold value of the current passage
