"""What parsing and training ask of weights."""

from libc.stdint cimport int32_t, uint64_t


cdef class Weights:
    """Weights of features: the scores of all classes for a set of them."""

    cdef void score(self, const uint64_t* keys, int count, int32_t* scores) noexcept nogil:
        pass
