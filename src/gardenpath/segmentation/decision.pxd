"""Yes or no, as weights say."""

from libc.stdint cimport int64_t, uint8_t, uint64_t

from gardenpath.perceptron.growing cimport GrowingWeights
from gardenpath.perceptron.weights cimport Weights

cpdef enum:
    BINARY_CLASSES = 8         # a decision has one class; of so many, so that weights keep short rows

cdef enum:
    MOST_FEATURES = 96

cdef struct Features:          # keys of features, one after the other
    uint64_t keys[MOST_FEATURES]
    int count


cdef inline uint64_t template(int number) noexcept nogil:
    """What the keys of a template begin with."""
    return <uint64_t>(number + 1) * <uint64_t>0xD1B54A32D192ED03


cdef inline void add(Features* features, uint64_t key) noexcept nogil:
    """Add a key."""
    features.keys[features.count] = key
    features.count += 1


cdef class Decision:
    cdef Weights weights

    cdef bint decide(self, const Features* features, int place) except -1 nogil


cdef class Lesson(Decision):
    cdef GrowingWeights growing
    cdef int margin_of_ends
    cdef int margin_of_others
    cdef readonly int64_t steps
    cdef const uint8_t[::1] gold
    cdef int least             # the gold value from which on the answer is yes
    cdef Py_ssize_t offset     # where the gold values of the passage begin
