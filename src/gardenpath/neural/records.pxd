"""Records of computations that the network has not done yet."""

from libc.stdint cimport int64_t
from libcpp.vector cimport vector


cdef class Records:
    cdef int width                    # numbers in a record
    cdef int links                    # the number of them, at the start, that are ids of results of this kind
    cdef int64_t first                # the id of the result of the first record
    cdef vector[int64_t] values
    cdef vector[int64_t] levels
    cdef vector[int64_t] owners       # by record: the number of its sentence

    cdef int64_t add(self, const int64_t* record, int owner) except -1 nogil
    cdef void cut(self, int64_t end) noexcept nogil
    cdef int64_t end(self) noexcept nogil
