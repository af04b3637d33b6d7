"""Memory management of unfinished derivations."""

from libc.stdlib cimport free, realloc
from libc.string cimport memcpy

from gardenpath.core.configuration cimport copy_into, release, reserve


cdef int make_room(Hypothesis* h, int n, int moves, bint keeps_rejected, bint keeps_margins) except -1 nogil:
    """Make room for a sentence of n words and this number of valid transitions."""
    reserve(&h.c, n)
    if moves > h.move_capacity:
        h.moves = <int*>_enlarged(h.moves, moves * sizeof(int), n)
        h.move_capacity = moves
    if keeps_rejected and n >= h.rejected_capacity:
        h.rejected = <RejectedArc*>_enlarged(h.rejected, 2 * (n + 1) * sizeof(RejectedArc), n)
        h.rejected_capacity = 2 * (n + 1)
    if keeps_margins and n >= h.margin_capacity:
        h.margins = <ArcMargins*>_enlarged(h.margins, 2 * (n + 1) * sizeof(ArcMargins), n)
        h.margin_capacity = 2 * (n + 1)
    return 0


cdef void* _enlarged(void* block, size_t size, int n) except NULL nogil:
    cdef void* room = realloc(block, size)
    if room == NULL:
        with gil:
            raise MemoryError(f"no memory for a sentence of {n} words")
    return room


cdef int copy_hypothesis(Hypothesis* target, const Hypothesis* source) except -1 nogil:
    """Make one derivation a copy of another.

    The target keeps its slot and its own memory. Its list of valid transitions is empty.
    """
    cdef Hypothesis old = target[0]
    make_room(&old, source.c.n, source.move_capacity, source.rejected != NULL, source.margins != NULL)
    copy_into(&old.c, &source.c)
    target[0] = source[0]
    target.c = old.c
    target.slot = old.slot
    target.moves, target.move_count, target.move_capacity = old.moves, 0, old.move_capacity
    target.rejected, target.rejected_capacity = old.rejected, old.rejected_capacity
    target.margins, target.margin_capacity = old.margins, old.margin_capacity
    if source.rejected != NULL:
        memcpy(target.rejected, source.rejected, (source.c.n + 1) * sizeof(RejectedArc))
    if source.margins != NULL:
        memcpy(target.margins, source.margins, (source.c.n + 1) * sizeof(ArcMargins))
    return 0


cdef void release_hypothesis(Hypothesis* h) noexcept nogil:
    release(&h.c)
    free(h.moves)
    free(h.rejected)
    free(h.margins)
