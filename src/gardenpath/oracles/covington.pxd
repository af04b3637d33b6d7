"""Oracles of Covington's parser."""

from libcpp.vector cimport vector

from gardenpath.core.configuration cimport Configuration
from gardenpath.core.gold cimport Gold
from gardenpath.oracles.base cimport Oracle
from gardenpath.oracles.cycles cimport CycleCounter

# A configuration as these oracles see it.
cdef struct State:
    int i
    int j
    int* heads


cdef class CovingtonOracle(Oracle):
    cdef vector[int] scratch           # heads after a move
    cdef vector[int] walks             # by word: the walk that came by
    cdef int cycles_before             # in the configuration that is asked about; UNKNOWN if nobody has counted them

    cdef bint is_lost(self, int head, int i, int j, const Gold* gold, int word) noexcept nogil
    cdef int count_lost(self, const State* state, const Gold* gold) noexcept nogil
    cdef int count_cycles(self, const State* state, const Gold* gold) noexcept nogil
    cdef int lost_by(self, const State* before, const State* after, const Gold* gold, int move) noexcept nogil
    cdef State try_move(self, const State* before, int n, int move) noexcept nogil
    cdef State after(self, const State* before, int n, int move, int* heads) noexcept nogil


cdef class BoundOracle(CovingtonOracle):
    cdef int counted                   # which cycles count
    cdef bint is_strict                # is a wrongly attached root word given up only when nothing can set it free?
    cdef readonly int lookahead
    cdef vector[vector[int]] levels    # heads, by step ahead
    cdef CycleCounter cycles

    cdef int look_ahead(self, const State* state, const Gold* gold, int steps) noexcept nogil


cdef State state_of(const Configuration* c) noexcept nogil
