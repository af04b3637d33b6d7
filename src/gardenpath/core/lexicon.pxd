"""A dictionary without Python objects."""

from libc.stdint cimport uint32_t, uint64_t

cdef enum:
    ABSENT = 0             # the value of a missing key


cdef class Lexicon:
    cdef readonly object keys_array
    cdef readonly object values_array
    cdef const uint64_t[::1] keys
    cdef const uint32_t[::1] values

    cdef bint _ends(self) noexcept nogil
    cdef uint32_t largest(self) noexcept nogil
    cdef uint32_t find(self, uint64_t key) noexcept nogil
