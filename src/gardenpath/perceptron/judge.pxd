"""What the oracle thinks of the classes that a parser can choose from."""

from libc.stdint cimport int8_t

from gardenpath.core.configuration cimport Configuration
from gardenpath.core.gold cimport Gold
from gardenpath.oracles.base cimport Oracle
from gardenpath.search.greedy cimport GreedyParser, Workspace


cdef class Judge:
    cdef GreedyParser parser
    cdef Oracle oracle
    cdef int8_t* accepted                  # by permitted move: does the oracle accept it?
    cdef int capacity

    cdef int look(self, Workspace space, const Gold* gold, int loss) except? -2 nogil
    cdef int label_for(self, const Configuration* c, const Gold* gold, int move) noexcept nogil
    cdef bint is_right(self, int number, int index, int label) noexcept nogil
    cdef bint accepts(self, Workspace space, int move) noexcept nogil
