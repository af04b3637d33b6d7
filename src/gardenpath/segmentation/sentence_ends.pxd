"""Where sentences end."""

from libc.stdint cimport uint8_t
from libcpp.vector cimport vector

from gardenpath.segmentation.decision cimport Decision
from gardenpath.segmentation.passage cimport Piece

cdef struct Course:            # a sentence up to here
    int begin                  # its first token
    int quotes                 # how many straight quotation marks it has
    int brackets               # how many brackets are open
    int before                 # the last kind of the sentence before it


cdef class SentenceEnds:
    cdef readonly object rules_array
    cdef const uint8_t[:, :, ::1] rules

    cdef int mark(self, Decision decision, const vector[Piece]& pieces, int begin, int end, vector[uint8_t]& ends) except -1 nogil
    cdef bint _is_open(self, const Piece* last, const Piece* following) noexcept nogil
