"""The classes that an oracle accepts: those of an accepted transition that have the gold label."""

from libc.stdint cimport int8_t
from libc.stdlib cimport free, realloc

from gardenpath.core.configuration cimport NONE


cdef class Judge:
    """An oracle that judges classes. It belongs to one thread.

    A transition that builds a gold arc must have the gold label. One that builds another arc may have any label, or,
    with `labels_all_arcs`, must have the gold label of the dependent if it can have it.
    """

    def __cinit__(self, Oracle oracle, Classes classes, bint labels_all_arcs=False):
        self.oracle = oracle
        self.classes = classes
        self.labels_all_arcs = labels_all_arcs

    def __dealloc__(self):
        free(self.accepted)

    cdef int look(self, const Hypothesis* h, const Gold* gold, int loss) except? -2 nogil:
        """Find the accepted valid transitions. `loss` and the return value are the same as in `Oracle.accept`."""
        cdef void* room
        if self.capacity < h.move_capacity:
            room = realloc(self.accepted, h.move_capacity)
            if room == NULL:
                with gil:
                    raise MemoryError("no memory for the transitions of a sentence")
            self.accepted = <int8_t*>room
            self.capacity = h.move_capacity
        return self.oracle.decide(&h.c, gold, h.moves, h.move_count, self.accepted, loss)

    cdef int label_for(self, const Hypothesis* h, const Gold* gold, int move) noexcept nogil:
        """The label that the transition must have; NONE if it may have any."""
        cdef int dependent, group, i
        if not self.oracle.system.builds_arc(&h.c, move):
            return NONE
        dependent = self.oracle.system.arc_child(&h.c, move)
        if gold.heads[dependent] == self.oracle.system.arc_head(&h.c, move):
            return gold.labels[dependent]
        if self.labels_all_arcs:
            group = self.classes.group(&h.c, move)
            for i in range(self.classes.first[group], self.classes.end[group]):
                if self.classes.label_of[i] == gold.labels[dependent]:
                    return gold.labels[dependent]
        return NONE

    cdef bint is_right(self, int number, int index, int label) noexcept nogil:
        """Return whether a class is right.

        `number` is the index of its transition in the list of valid ones, `label` is the result of `label_for`.
        """
        return self.accepted[number] and (label == NONE or self.classes.label_of[index] in (NONE, label))

    cdef bint accepts(self, const Hypothesis* h, int move) noexcept nogil:
        """Whether the oracle accepts a valid transition."""
        cdef int i
        for i in range(h.move_count):
            if h.moves[i] == move:
                return self.accepted[i]
        return False
