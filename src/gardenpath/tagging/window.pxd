"""Feature templates over a word and its neighbours, compiled."""

from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

from gardenpath.tagging.spelling cimport Traits

cdef enum:
    REACH = 3              # how far a template may look to either side

cdef struct Atom:
    int offset             # of the word looked at
    int property


cdef class Window:
    cdef readonly list templates
    cdef vector[Atom] atoms
    cdef vector[int] ends              # by template: where its atoms end

    cdef int write_keys(self, const Traits* word, uint64_t* keys) noexcept nogil


cdef void set_edges(Traits* words, int n) noexcept nogil
