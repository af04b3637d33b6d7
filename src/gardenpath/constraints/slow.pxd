"""Constraints that are slow to check."""

from gardenpath.constraints.base cimport Constraint
from gardenpath.core.configuration cimport Configuration
from gardenpath.core.gold cimport Gold


cdef class SlowConstraint(Constraint):
    cdef bint is_rough                 # whether `restrict` calls only `keeps_arcs`

    cdef bint keeps_arcs(self, const Configuration* c, const Gold* given, int move) noexcept nogil
