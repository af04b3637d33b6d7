"""Sentence splitting."""

from libc.stdint cimport uint8_t
from libcpp.vector cimport vector

from gardenpath.segmentation.decision cimport Decision
from gardenpath.segmentation.passage cimport PassageToken

cdef struct PartialSentence:   # the current sentence, up to the current token
    int begin                  # index of its first token
    int quotes                 # number of straight quotation marks
    int brackets               # number of open brackets
    int before                 # kind of the last character of the sentence before


cdef class SentenceEnds:
    cdef readonly object rules_array
    cdef const uint8_t[:, :, ::1] rules

    cdef int mark(
        self, Decision decision, const vector[PassageToken]& tokens, int begin, int end, vector[uint8_t]& ends
    ) except -1 nogil
    cdef bint _is_open(self, const PassageToken* last, const PassageToken* following) noexcept nogil
