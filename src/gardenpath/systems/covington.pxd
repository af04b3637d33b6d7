"""Covington's parser: the words i and j of the pair are the top of the stack and the front of the buffer.

The words between them are the second list.
"""

from gardenpath.core.configuration cimport Configuration, is_ancestor
from gardenpath.systems.base cimport TransitionSystem


cdef inline int left_focus(const Configuration* c) noexcept nogil:
    """Return i, or 0 when all pairs of j are done."""
    return c.stack_size


cdef inline int right_focus(const Configuration* c) noexcept nogil:
    """Return j, or n + 1 at the end."""
    return c.cursor + 1


cdef inline void replace_head(int* heads, int head, int child) noexcept nogil:
    """Change heads as an arc of the non-monotonic system does.

    The head of the dependent is replaced. If that closes a cycle, the new head loses its own head.
    """
    if is_ancestor(heads, child, head):
        heads[head] = -1
    heads[child] = head


cdef class Covington(TransitionSystem):
    cdef void attach(self, Configuration* c, int head, int child, int label) noexcept nogil


cdef class CovingtonNM(Covington):
    pass
