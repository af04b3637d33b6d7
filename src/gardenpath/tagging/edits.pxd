"""Edit rules that turn a form into its lemma."""

from libc.stdint cimport uint32_t
from libcpp.string cimport string
from libcpp.vector cimport vector

cdef enum:                 # how the case of the form is changed first
    AS_IS
    LOWERED
    CAPITALISED
    REPLACED               # the rule contains the whole lemma
    CASES

cdef struct Edit:
    int case
    int cut_front          # number of characters to remove at the front
    int cut_back           # number of characters to remove at the back
    int front              # start of the bytes to add at the front
    int back               # start of the bytes to add at the back
    int end                # end of the bytes to add at the back


cdef class Edits:
    cdef readonly list rules
    cdef vector[Edit] edits
    cdef string added      # the bytes that the rules add, concatenated

    cdef bint is_constant(self, int rule) noexcept nogil
    cdef bint is_applicable(self, int rule, int characters) noexcept nogil
    cdef int apply(self, int rule, const char* form, int length, int characters, vector[char]* lemma) except -1 nogil


cdef int append(vector[char]* text, uint32_t point) except -1 nogil
cdef int count_characters(const char* text, int length) noexcept nogil
