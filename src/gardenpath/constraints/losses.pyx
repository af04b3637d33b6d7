"""The constraints of the arc-eager family: a transition is allowed if it costs no given arc.

In these systems, arcs of a projective tree that can each be built can all be built together. So the costs of the
dynamic oracle are also right if the gold tree is only partly known.
"""

from gardenpath.constraints.base cimport Constraint, fits
from gardenpath.constraints.slow cimport SlowConstraint
from gardenpath.core.configuration cimport Configuration, NONE
from gardenpath.core.gold cimport Gold
from gardenpath.oracles.base cimport Oracle
from gardenpath.systems.base cimport TransitionSystem

from gardenpath import oracles


cdef class CostConstraint(Constraint):
    """The costs are formulas."""

    cdef Oracle oracle

    def __init__(self, TransitionSystem system):
        self.oracle = oracles.of(system, "dynamic")

    cdef bint allows(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        return self.oracle.cost_of(c, given, move) == 0


cdef class LossConstraint(SlowConstraint):
    """The costs are differences of losses, so the loss after a transition must be 0."""

    cdef Oracle oracle

    def __init__(self, TransitionSystem system):
        self.oracle = oracles.of(system, "dynamic")

    cdef bint keeps_arcs(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        cdef int head = self.system.arc_head(c, move)
        return head == NONE or fits(given, head, self.system.arc_child(c, move))

    cdef bint allows(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        if not self.keeps_arcs(c, given, move):
            return False
        self.try_move(c, move)
        return self.oracle.loss_of(&self.after, given) == 0
