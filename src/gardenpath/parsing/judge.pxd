"""The classes that an oracle accepts."""

from libc.stdint cimport int8_t

from gardenpath.core.gold cimport Gold
from gardenpath.oracles.base cimport Oracle
from gardenpath.parsing.hypothesis cimport Hypothesis
from gardenpath.systems.classes cimport Classes


cdef class Judge:
    cdef readonly Oracle oracle
    cdef Classes classes
    cdef bint labels_all_arcs
    cdef int8_t* accepted                  # by valid transition: whether the oracle accepts it
    cdef int capacity

    cdef int look(self, const Hypothesis* h, const Gold* gold, int loss) except? -2 nogil
    cdef int label_for(self, const Hypothesis* h, const Gold* gold, int move) noexcept nogil
    cdef bint is_right(self, int number, int index, int label) noexcept nogil
    cdef bint accepts(self, const Hypothesis* h, int move) noexcept nogil
