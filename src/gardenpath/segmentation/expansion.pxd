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

cdef struct Rule:
    int cut                    # number of characters cut from the end of the form for the first word, or WHOLE
    string first               # appended to what is left of the form
    vector[string] middle      # the words between the first and the last
    string last                # the last word begins with this
    bint keeps                 # whether `part` characters of the form are kept; otherwise `part` are skipped
    int part

cdef struct Form:              # a form in UTF-8
    vector[char] utf8
    vector[int] starts         # first byte of each character, and the length


cdef class Expansion:
    cdef readonly list rules
    cdef readonly object endings_array
    cdef const uint8_t[::1] endings
    cdef vector[Rule] native

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
