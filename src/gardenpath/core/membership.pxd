"""A set of hashed strings in a few bits each."""

from libc.stdint cimport uint64_t


cdef class BloomFilter:
    cdef readonly object words_array
    cdef const uint64_t[::1] words

    cdef bint contains(self, uint64_t key) noexcept nogil
