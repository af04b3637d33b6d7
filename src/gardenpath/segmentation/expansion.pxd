"""Multiword tokens: which tokens stand for several words, and for which."""

from libc.stdint cimport uint8_t
from libcpp.string cimport string
from libcpp.vector cimport vector

from gardenpath.perceptron.weights cimport Weights
from gardenpath.segmentation.decision cimport Features
from gardenpath.core.draft cimport Draft
from gardenpath.segmentation.passage cimport Character, Piece

cdef enum:
    ENDINGS = 4096             # the size of the table of endings

cdef struct Rule:
    int cut                    # the first word is the form without so many characters at its end, or nothing of it if WHOLE
    string first               # and this
    vector[string] middle      # the words between
    string last                # the last word is this
    bint keeps                 # and the last `part` characters of the form, or else all but the first `part`
    int part

cdef struct Form:              # a form in bytes
    vector[char] utf8
    vector[int] starts         # where its characters begin, and where it ends


cdef class Expansion:
    cdef readonly list rules
    cdef readonly object endings_array
    cdef const uint8_t[::1] endings
    cdef vector[Rule] native

    cdef bint may_expand(self, const Character* passage, const Piece* piece) noexcept nogil
    cdef void write_keys(self, const Character* passage, const vector[Piece]& pieces, int at, Features* features) noexcept nogil
    cdef int expand(self, Weights weights, const Character* passage, const vector[Piece]& pieces, int at, Form* form, Draft draft) except -1 nogil


cdef int ending_of(const Character* passage, const Piece* piece) noexcept nogil
cdef int spell(const char* utf8, const Character* passage, const Piece* piece, Form* form) except -1 nogil
