"""The interface of oracles."""

from libc.stdint cimport int8_t

from gardenpath.core.configuration cimport Configuration as RawConfiguration
from gardenpath.core.gold cimport Gold
from gardenpath.systems.base cimport Configuration, TransitionSystem

cdef enum:
    UNKNOWN = -1       # a loss that has not been computed


cdef enum Preference:
    REPAIR_LAST
    ANY
    MONOTONIC_ONLY
    GOLD_FIRST
    SHIFT_FIRST


cdef class Oracle:
    cdef readonly TransitionSystem system
    cdef readonly str kind
    cdef int preference
    cdef bint is_static

    cdef int loss_of(self, const RawConfiguration* c, const Gold* gold) noexcept nogil
    cdef int cost_of(self, const RawConfiguration* c, const Gold* gold, int move) noexcept nogil
    cdef int rank_of(self, const RawConfiguration* c, const Gold* gold, int move, int limit) noexcept nogil
    cdef int static_move(self, const RawConfiguration* c, const Gold* gold) noexcept nogil
    cdef unsigned preferred(self, const RawConfiguration* c, const Gold* gold, unsigned optimal) noexcept nogil
    cdef int accept(
        self, const RawConfiguration* c, const Gold* gold, const int* moves, int count, int8_t* accepted, int loss
    ) noexcept nogil
    cdef void accept_static(
        self, const RawConfiguration* c, const Gold* gold, const int* moves, int count, int8_t* accepted
    ) noexcept nogil
    cdef void prefer_gold_arcs(
        self, const RawConfiguration* c, const Gold* gold, const int* moves, int count, int8_t* accepted
    ) noexcept nogil
    cdef bint _builds_gold_arc(self, const RawConfiguration* c, const Gold* gold, int move) noexcept nogil
    cdef bint may_follow(self, const RawConfiguration* c, int move) noexcept nogil
    cdef bint builds(self, RawConfiguration* c, const Gold* gold) except -1 nogil
    cdef int decide(
        self, const RawConfiguration* c, const Gold* gold, const int* moves, int count, int8_t* accepted, int loss
    ) except? -2 nogil
    cdef int stop(self, const RawConfiguration* c, const int* moves, int count) except -2 with gil
    cdef int raise_failure(self) except -1


cdef class GoldTree:
    cdef Gold gold
