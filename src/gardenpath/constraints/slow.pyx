"""Constraints that try a transition to find out whether it is allowed, which is slow."""

from gardenpath.constraints.base cimport Constraint
from gardenpath.core.configuration cimport Configuration
from gardenpath.core.gold cimport Gold


cdef class SlowConstraint(Constraint):
    """A constraint with a fast check, `keeps_arcs`, that every allowed transition passes."""

    cdef bint keeps_arcs(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        """Return whether each given arc, for itself, can be built after a transition."""
        return True

    cdef int restrict(self, const Configuration* c, const Gold* given, int* moves, int count) noexcept nogil:
        cdef int i, left = 0
        if not self.is_rough:
            return Constraint.restrict(self, c, given, moves, count)
        for i in range(count):
            moves[left] = moves[i]
            left += self.keeps_arcs(c, given, moves[i])
        return left

    def restrict_roughly(self):
        """Let `restrict` keep all transitions that pass the fast check."""
        self.is_rough = True
        return True
