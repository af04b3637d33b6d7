"""Oracles of Covington's parser."""

from libcpp.vector cimport vector

from gardenpath.core.configuration cimport Configuration
from gardenpath.core.gold cimport Gold
from gardenpath.oracles.base cimport Oracle
from gardenpath.oracles.cycles cimport CycleCounter

# What these oracles need of a configuration: the words of the pair, and the heads.
cdef struct PairState:
    int i
    int j
    int* heads


cdef class CovingtonOracle(Oracle):
    cdef vector[int] scratch           # heads after a transition
    cdef vector[int] walks             # by word: the first walk that visited it
    cdef int cycles_before             # the number of cycles in the present configuration; UNKNOWN if not counted

    cdef bint is_lost(self, int head, int i, int j, const Gold* gold, int word) noexcept nogil
    cdef int count_lost(self, const PairState* state, const Gold* gold) noexcept nogil
    cdef int count_cycles(self, const PairState* state, const Gold* gold) noexcept nogil
    cdef int lost_by(self, const PairState* before, const PairState* after, const Gold* gold, int move) noexcept nogil
    cdef PairState try_move(self, const PairState* before, int n, int move) noexcept nogil
    cdef PairState after(self, const PairState* before, int n, int move, int* heads) noexcept nogil


cdef class BoundOracle(CovingtonOracle):
    cdef int counted                   # which cycles to count
    cdef bint is_strict                # whether an attached root word counts as lost only when nothing can detach it
    cdef readonly int lookahead
    cdef vector[vector[int]] levels    # by number of transitions ahead: the heads
    cdef CycleCounter cycles

    cdef int look_ahead(self, const PairState* state, const Gold* gold, int steps) noexcept nogil


cdef PairState state_of(const Configuration* c) noexcept nogil
