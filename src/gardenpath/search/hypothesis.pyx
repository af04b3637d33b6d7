"""Memory management of unfinished derivations."""

from libc.stdlib cimport free, realloc
from libc.string cimport memcpy

from gardenpath.core.configuration cimport copy_into, release, reserve


cdef int make_room(Hypothesis* h, int n, int moves, bint keeps_rejected) except -1 nogil:
    """Make room for a sentence of n words and this number of valid transitions."""
    cdef void* room
    reserve(&h.c, n)
    if moves > h.move_capacity:
        room = realloc(h.moves, moves * sizeof(int))
        if room == NULL:
            with gil:
                raise MemoryError(f"no memory for {moves} transitions")
        h.moves = <int*>room
        h.move_capacity = moves
    if keeps_rejected and n >= h.rejected_capacity:
        room = realloc(h.rejected, 2 * (n + 1) * sizeof(RejectedArc))
        if room == NULL:
            with gil:
                raise MemoryError(f"no memory for a sentence of {n} words")
        h.rejected = <RejectedArc*>room
        h.rejected_capacity = 2 * (n + 1)
    return 0


cdef int copy_hypothesis(Hypothesis* target, const Hypothesis* source) except -1 nogil:
    """Make one derivation a copy of another.

    The target keeps its slot and its own memory. Its list of valid transitions is empty.
    """
    cdef Hypothesis old = target[0]
    make_room(&old, source.c.n, source.move_capacity, source.rejected != NULL)
    copy_into(&old.c, &source.c)
    target[0] = source[0]
    target.c = old.c
    target.slot = old.slot
    target.moves, target.move_count, target.move_capacity = old.moves, 0, old.move_capacity
    target.rejected, target.rejected_capacity = old.rejected, old.rejected_capacity
    if source.rejected != NULL:
        memcpy(target.rejected, source.rejected, (source.c.n + 1) * sizeof(RejectedArc))
    return 0


cdef void release_hypothesis(Hypothesis* h) noexcept nogil:
    release(&h.c)
    free(h.moves)
    free(h.rejected)
