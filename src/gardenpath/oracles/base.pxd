"""What every oracle answers."""

from gardenpath.core.configuration cimport Configuration as RawConfiguration
from gardenpath.core.gold cimport Gold
from gardenpath.systems.base cimport Configuration, TransitionSystem

cdef enum Preference:
    REPAIR_LAST
    ANY
    MONOTONIC_ONLY


cdef class Oracle:
    cdef readonly TransitionSystem system
    cdef readonly str kind
    cdef int preference
    cdef bint is_static

    cdef int loss_of(self, const RawConfiguration* c, const Gold* gold) noexcept nogil
    cdef int cost_of(self, const RawConfiguration* c, const Gold* gold, int move) noexcept nogil
    cdef int static_move(self, const RawConfiguration* c, const Gold* gold) noexcept nogil
    cdef unsigned preferred(self, const RawConfiguration* c, const Gold* gold, unsigned optimal) noexcept nogil
    cdef unsigned cheapest(self, const RawConfiguration* c, const Gold* gold, unsigned permitted) noexcept nogil
    cdef unsigned accepted(self, const RawConfiguration* c, const Gold* gold, unsigned permitted) noexcept nogil


cdef class GoldTree:
    cdef Gold gold
