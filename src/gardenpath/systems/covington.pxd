"""Covington's parser: the focus words i and j are the top of the stack and the front of the buffer, and what lies between them is the second list."""

from gardenpath.core.configuration cimport Configuration, is_ancestor
from gardenpath.systems.base cimport TransitionSystem


cdef inline int left_focus(const Configuration* c) noexcept nogil:
    """i, or 0 when all pairs of j are done."""
    return c.stack_size


cdef inline int right_focus(const Configuration* c) noexcept nogil:
    """j, or n + 1 at the end."""
    return c.cursor + 1


cdef inline void replace_head(int* heads, int head, int child) noexcept nogil:
    """What an arc of the non-monotonic system does to the heads: the child's is replaced, and if that closes a cycle, the new head loses its own."""
    if is_ancestor(heads, child, head):
        heads[head] = -1
    heads[child] = head


cdef class Covington(TransitionSystem):
    cdef void attach(self, Configuration* c, int head, int child, int label) noexcept nogil


cdef class CovingtonNM(Covington):
    pass
