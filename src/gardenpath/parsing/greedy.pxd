"""Greedy search: take the best-scoring valid transition at each step."""

from libcpp.vector cimport vector

from gardenpath.parsing.base cimport Search
from gardenpath.parsing.hypothesis cimport Hypothesis


cdef class Greedy(Search):
    cdef Hypothesis* hypotheses
    cdef int size                          # the number of derivations there is room for
    cdef vector[Hypothesis*] waiting       # those that have not ended
    cdef bint is_rough                     # whether listed transitions may contradict given arcs

    cdef int run(self, const int* sentences, int count) except -1 nogil
    cdef int _advance(self) except -1 nogil
    cdef void _remove(self, Hypothesis* h, int move) noexcept nogil
