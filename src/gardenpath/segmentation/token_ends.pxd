"""Where tokens end."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libcpp.vector cimport vector

from gardenpath.segmentation.decision cimport Decision, Features
from gardenpath.segmentation.passage cimport Character

cpdef enum:                    # what is known of a gap between two characters without a look at weights
    ASK
    GOES_ON
    ENDS

cdef struct Gap:
    int at                     # the character on its right
    int chunks[4]              # where chunks begin: the one before that of the character on its left, that one, and the two after it
    bint exceptional           # is that chunk one that breaks a rule?
    int token                  # where the token began
    uint64_t so_far            # the token up to here, in lower case
    uint64_t shape             # its kinds, repetitions left out
    uint64_t kinds             # the set of them
    uint32_t last              # the last one


cdef class TokenEnds:
    cdef readonly object rules_array
    cdef readonly object exceptions_array
    cdef readonly bint spaces_inside
    cdef const uint8_t[:, :, ::1] rules
    cdef const uint64_t[::1] exceptions

    cdef int mark(self, Decision decision, const vector[Character]& passage, int begin, int end, vector[uint8_t]& ends) except -1 nogil
    cdef int _rule(self, const Character* left, const Character* right) noexcept nogil
    cdef bint _is_exception(self, uint64_t chunk) noexcept nogil
