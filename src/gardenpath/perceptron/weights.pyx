"""The interface of weights in training and inference."""

from libc.stdint cimport int32_t, uint64_t


cdef class Weights:
    """Weights of features. Base class."""

    cdef void score(self, const uint64_t* keys, int count, int32_t* scores) noexcept nogil:
        """Compute the scores of all classes for these features."""
