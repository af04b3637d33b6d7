"""The constraints of Covington's parser.

Every pair of words is visited once, so a given arc must be built when its two words are the pair.
"""

from gardenpath.constraints.base cimport Constraint, fits, is_above
from gardenpath.core.configuration cimport Configuration, NONE, ROOT, is_ancestor
from gardenpath.core.gold cimport Gold
from gardenpath.core.moves cimport NO_ARC, SHIFT
from gardenpath.systems.covington cimport left_focus, right_focus


cdef class CovingtonConstraint(Constraint):
    """An arc must not close a cycle with the arcs that are built and those that are given."""

    cdef bint allows(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        cdef int head, child
        if move == SHIFT:
            return not _has_pending_pairs(c, given)
        if move == NO_ARC:
            return not (_is_pending(c, given, left_focus(c), right_focus(c)) or
                        _is_pending(c, given, right_focus(c), left_focus(c)))
        head, child = self.system.arc_head(c, move), self.system.arc_child(c, move)
        return fits(given, head, child) and self.stays_acyclic(c, given, head, child)

    cdef bint stays_acyclic(self, const Configuration* c, const Gold* given, int head, int child) noexcept nogil:
        """Return whether an arc that agrees with the given ones closes no cycle with them."""
        return not is_above(c, given, child, head)


cdef class CovingtonNMConstraint(CovingtonConstraint):
    """Words with a given head get no other head, and no arc removes a given one.

    An arc to another word may close a cycle if the system removes it again: the head must be a word without a given
    head, and all arcs of the cycle must be built. This is stricter than necessary, because a later arc could also
    remove a cycle. All trees with the given arcs can be built.
    """

    cdef bint stays_acyclic(self, const Configuration* c, const Gold* given, int head, int child) noexcept nogil:
        if not is_above(c, given, child, head):
            return True
        return given.heads[head] == NONE and is_ancestor(c.heads, child, head)


cdef inline bint _is_pending(const Configuration* c, const Gold* given, int head, int child) noexcept nogil:
    return given.heads[child] == head and c.heads[child] != head


cdef bint _has_pending_pairs(const Configuration* c, const Gold* given) noexcept nogil:
    """Return whether a pair of j that is left has a given arc to build."""
    cdef int i = left_focus(c), j = right_focus(c), place
    if ROOT < given.heads[j] <= i and c.heads[j] != given.heads[j]:
        return True
    for place in range(given.first_child[j], given.first_child[j + 1]):
        if given.children[place] > i:
            break
        if c.heads[given.children[place]] != j:
            return True
    return False
