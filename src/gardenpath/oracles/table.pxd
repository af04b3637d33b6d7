"""What the oracles that need dynamic programming share."""

from libc.stdint cimport int8_t
from libcpp.vector cimport vector

from gardenpath.core.configuration cimport Configuration
from gardenpath.core.gold cimport Gold
from gardenpath.oracles.base cimport Oracle


cdef class TableOracle(Oracle):
    cdef Configuration after       # where candidates are tried

    cdef int lower_bound(self, const Configuration* c, const Gold* gold) noexcept nogil
    cdef int loss_between(self, const Configuration* c, const Gold* gold, int least, int most) noexcept nogil
    cdef void try_move(self, const Configuration* c, int move) noexcept nogil
    cdef void accept_optimal(self, const Configuration* c, const Gold* gold, const int* moves, int count, int8_t* accepted, int loss) noexcept nogil
    cdef void accept_on_path(self, const Configuration* c, const Gold* gold, const int* moves, int count, int8_t* accepted) noexcept nogil


cdef int wrong_heads(const Configuration* c, const Gold* gold) noexcept nogil
cdef void find_right_stack(const Configuration* c, const Gold* gold, vector[int8_t]& listed, vector[int]& words) noexcept nogil
