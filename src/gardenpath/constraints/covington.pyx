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
    """Words with a given head get no other head, not even for a while, and no arc removes a given one.

    An arc may close a cycle of arcs that are built or given. The system removes it when the last arc of the cycle is
    built, together with the arc into the head of that last arc. So this head must be a word without a given head.
    """

    cdef bint stays_acyclic(self, const Configuration* c, const Gold* given, int head, int child) noexcept nogil:
        cdef int word = head, above, last = head, last_child = NONE, steps = 0
        if is_ancestor(c.heads, child, head) or given.heads[head] == child:
            return given.heads[head] == NONE
        while word > ROOT and word != child and steps <= c.n:      # other words may be on a cycle
            above = given.heads[word] if given.heads[word] != NONE else c.heads[word]
            if _is_pending(c, given, above, word) and (last_child == NONE or _is_later(above, word, last, last_child)):
                last, last_child = above, word
            word, steps = above, steps + 1
        return word != child or given.heads[last] == NONE


cdef inline bint _is_later(int head, int child, int other_head, int other_child) noexcept nogil:
    """Return whether the pair of an arc is visited after the pair of another one."""
    cdef int j = max(head, child), other = max(other_head, other_child)
    return j > other or (j == other and min(head, child) < min(other_head, other_child))


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
