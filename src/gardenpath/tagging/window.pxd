"""Compiled feature templates over a word and its neighbours."""

from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

from gardenpath.tagging.spelling cimport Traits

cdef enum:
    REACH = 3              # the largest offset of a template

cdef struct WindowAtom:
    int offset             # of the word, relative to the current one
    int property


cdef class Window:
    cdef readonly list templates
    cdef vector[WindowAtom] atoms
    cdef vector[int] ends              # by template: end of its atoms

    cdef int write_keys(self, const Traits* word, uint64_t* keys) noexcept nogil


cdef void set_edges(Traits* words, int n) noexcept nogil
