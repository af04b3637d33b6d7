"""Tokenization."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libcpp.vector cimport vector

from gardenpath.segmentation.addresses cimport Address
from gardenpath.segmentation.decision cimport Decision, Features
from gardenpath.segmentation.passage cimport Character

cpdef enum:                    # what the rules say about a gap between two characters
    ASK                        # the weights decide
    GOES_ON                    # the token continues
    ENDS                       # the token ends

cdef struct Gap:
    int at                     # index of the character on its right
    int chunks[4]              # first characters of the previous, the current and the next two chunks
    bint exceptional           # whether the current chunk is an exception to the rules
    Address address            # the next address in the current chunk, or an empty one at its end
    int token                  # first character of the current token
    uint64_t so_far            # hash of the token up to here, in lower case
    uint64_t shape             # hash of its kinds, without repetitions
    uint64_t kinds             # the set of its kinds
    uint32_t last              # the kind of its last character


cdef class TokenEnds:
    cdef readonly object rules_array
    cdef readonly object exceptions_array
    cdef readonly bint spaces_inside
    cdef readonly bint whole_addresses         # whether a web or e-mail address is always one token
    cdef const uint8_t[:, :, ::1] rules
    cdef const uint64_t[::1] exceptions

    cdef int mark(
        self, Decision decision, const vector[Character]& passage, int begin, int end, vector[uint8_t]& ends
    ) except -1 nogil
    cdef int _answer(self, const Character* c, const Gap* gap) noexcept nogil
    cdef void _find_address(self, const Character* c, int begin, Gap* gap) noexcept nogil
    cdef int _rule(self, const Character* left, const Character* right) noexcept nogil
    cdef bint _is_exception(self, uint64_t chunk) noexcept nogil
