"""Multi-word tokens: which tokens are split into several words, and into which."""

from libc.stdint cimport uint8_t
from libcpp.string cimport string
from libcpp.vector cimport vector

from gardenpath.perceptron.weights cimport Weights
from gardenpath.core.draft cimport Draft
from gardenpath.segmentation.decision cimport Features
from gardenpath.segmentation.passage cimport Character, PassageToken

cdef enum:
    ENDINGS = 4096             # size of the table of endings

cdef struct WordRule:          # a word: a slice of the form between two strings
    string front
    int begin                  # first character of the slice
    bint from_end              # whether `begin` is counted from the end of the form
    int drop                   # number of characters between the slice and the end of the form
    string back

cdef struct Form:              # a form in UTF-8
    vector[char] utf8
    vector[int] starts         # first byte of each character, and the length


cdef class Expansion:
    cdef readonly list rules
    cdef readonly object endings_array
    cdef const uint8_t[::1] endings
    cdef vector[vector[WordRule]] native    # the words of each rule

    cdef bint may_expand(self, const Character* passage, const PassageToken* token) noexcept nogil
    cdef void write_keys(
        self, const Character* passage, const vector[PassageToken]& tokens, int at, Features* features
    ) noexcept nogil
    cdef int expand(
        self, Weights weights, const Character* passage, const vector[PassageToken]& tokens, int at, Form* form,
        Draft draft
    ) except -1 nogil


cdef int ending_of(const Character* passage, const PassageToken* token) noexcept nogil
cdef int spell(const char* utf8, const Character* passage, const PassageToken* token, Form* form) except -1 nogil
