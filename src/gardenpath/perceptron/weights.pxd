"""What parsing and training ask of weights, and what both forms of them share."""

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
    """The number of classes rounded up to whole blocks of 16, for which scores and dense rows have room."""
    return (classes + 15) & ~15


cdef class Weights:
    cdef readonly int classes

    cdef void score(self, const uint64_t* keys, int count, int32_t* scores) noexcept nogil
