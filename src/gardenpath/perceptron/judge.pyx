"""What the oracle thinks of the classes that a parser can choose from: of the moves that it accepts, those with the right label are right."""

from libc.stdint cimport int8_t
from libc.stdlib cimport free, realloc

from gardenpath.core.configuration cimport Configuration, NONE
from gardenpath.core.gold cimport Gold
from gardenpath.oracles.base cimport Oracle
from gardenpath.search.greedy cimport GreedyParser, Workspace


cdef class Judge:
    """An oracle for a parser: one thread at a time may ask it."""

    def __cinit__(self, GreedyParser parser, Oracle oracle):
        self.parser = parser
        self.oracle = oracle

    def __dealloc__(self):
        free(self.accepted)

    cdef int look(self, Workspace space, const Gold* gold, int loss) except? -2 nogil:
        """Find out which of the moves listed in the workspace are accepted; `loss` and the answer are those of `Oracle.accept`."""
        cdef void* room
        if self.capacity < space.move_capacity:
            room = realloc(self.accepted, space.move_capacity)
            if room == NULL:
                with gil:
                    raise MemoryError("no memory for the moves of a sentence")
            self.accepted = <int8_t*>room
            self.capacity = space.move_capacity
        return self.oracle.accept(&space.c, gold, space.moves, space.move_count, self.accepted, loss)

    cdef int label_for(self, const Configuration* c, const Gold* gold, int move) noexcept nogil:
        """The label that the move must have: that of the gold arc it builds; NONE if any will do."""
        cdef int child
        if not self.parser.system.builds_arc(c, move):
            return NONE
        child = self.parser.system.arc_child(c, move)
        return gold.labels[child] if gold.heads[child] == self.parser.system.arc_head(c, move) else NONE

    cdef bint is_right(self, int number, int index, int label) noexcept nogil:
        """Is a class of the move of that number right, if the move must have that label?"""
        return self.accepted[number] and (label == NONE or self.parser.classes.label_of[index] in (NONE, label))

    cdef bint accepts(self, Workspace space, int move) noexcept nogil:
        cdef int i
        for i in range(space.move_count):
            if space.moves[i] == move:
                return self.accepted[i]
        return False
