"""The oracles of stay-eager swap."""

from libc.stdint cimport int8_t, uint64_t
from libcpp.vector cimport vector

from gardenpath.core.configuration cimport Configuration
from gardenpath.core.gold cimport Gold
from gardenpath.oracles.base cimport Oracle


cdef class StayEagerOracle(Oracle):
    cdef double postpone
    cdef bint is_dynamic
    cdef bint draws
    cdef uint64_t random
    cdef vector[int] wanted            # by word: the gold head that it can still get; NONE if there is none
    cdef vector[int] tried             # the same after a transition
    cdef vector[int] walks
    cdef vector[int] heads
    cdef vector[int] places

    cdef bint _may_wait(self, const Configuration* c, const Gold* gold, int move) noexcept nogil
    cdef int _find_wanted(self, const int* heads, const int* places, const Gold* gold, int* wanted) noexcept nogil
    cdef int look(self, const Configuration* c, const Gold* gold) noexcept nogil
    cdef int _lost_after(self, const Configuration* c, const Gold* gold, int move) noexcept nogil
    cdef int policy_move(self, const Configuration* c, const Gold* gold) noexcept nogil
    cdef int _first_permitted(self, const Configuration* c) noexcept nogil
    cdef int _accept_good(
        self, const Configuration* c, const Gold* gold, const int* moves, int count, int8_t* accepted, int loss
    ) noexcept nogil
