"""The interface of weights in training and inference."""

from libc.stdint cimport int32_t, uint64_t

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define GP_PREFETCH(address) __builtin_prefetch(address)
    #else
    #define GP_PREFETCH(address)
    #endif
    """
    void prefetch "GP_PREFETCH"(const void* address) noexcept nogil

cdef enum:
    MAX_KEYS = 512
    MAX_CLASSES = 4096


cdef inline int padded(int classes) noexcept nogil:
    """Return the number of classes rounded up to a multiple of 16. Scores and dense rows have this size."""
    return (classes + 15) & ~15


cdef class Weights:
    cdef readonly int classes

    cdef void score(self, const uint64_t* keys, int count, int32_t* scores) noexcept nogil
