"""What a network has yet to compute, written down while derivations go on."""

from libc.stdint cimport int64_t
from libcpp.vector cimport vector


cdef class Records:
    cdef int width                    # numbers in a record
    cdef int links                    # how many of them, the first ones, are results of other records of this kind
    cdef int64_t first                # the id of the first record's result
    cdef vector[int64_t] values
    cdef vector[int64_t] levels
    cdef vector[int64_t] owners       # the number of the sentence

    cdef int64_t add(self, const int64_t* record, int owner) except -1 nogil
    cdef void cut(self, int64_t end) noexcept nogil
    cdef int64_t end(self) noexcept nogil
