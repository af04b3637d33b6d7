"""Edit rules: from a form to its lemma."""

from libcpp.string cimport string
from libcpp.vector cimport vector

cdef enum:                 # what happens to the letters before anything else
    AS_IS
    LOWERED
    CAPITALISED
    REPLACED               # the lemma is what the rule says, whatever the form
    CASES

cdef struct Edit:
    int case
    int cut_front          # characters to take away
    int cut_back
    int front              # where the bytes to put in their place begin
    int back
    int end                # where those at the back end


cdef class Edits:
    cdef readonly list rules
    cdef vector[Edit] edits
    cdef string added      # what the rules add, one after the other

    cdef bint is_applicable(self, int rule, int characters) noexcept nogil
    cdef int apply(self, int rule, const char* form, int length, int characters, vector[char]* lemma) except -1 nogil


cdef int count_characters(const char* text, int length) noexcept nogil
