"""The common part of oracles that need dynamic programming."""

from libc.stdint cimport int8_t
from libcpp.vector cimport vector

from gardenpath.core.configuration cimport Configuration
from gardenpath.core.gold cimport Gold
from gardenpath.oracles.base cimport Oracle


cdef class TableOracle(Oracle):
    cdef Configuration after           # the configuration after a transition that is tried
    cdef vector[int] left              # the words to join: the stack from the top, in single-root mode without ROOT,
    cdef vector[int] right             # and the words of the buffer that matter; index 0 is the top of the stack again
    cdef vector[int8_t] listed         # by word: whether it is in the buffer and matters

    cdef int lower_bound(self, const Configuration* c, const Gold* gold) noexcept nogil
    cdef int loss_between(self, const Configuration* c, const Gold* gold, int least, int most) noexcept nogil
    cdef void find_stacks(self, const Configuration* c, const Gold* gold) noexcept nogil
    cdef bint _matters(self, const Configuration* c, const Gold* gold, int word) noexcept nogil
    cdef void try_move(self, const Configuration* c, int move) noexcept nogil
    cdef void accept_optimal(
        self, const Configuration* c, const Gold* gold, const int* moves, int count, int8_t* accepted, int loss
    ) noexcept nogil
    cdef void accept_on_path(
        self, const Configuration* c, const Gold* gold, const int* moves, int count, int8_t* accepted
    ) noexcept nogil


cdef int wrong_heads(const Configuration* c, const Gold* gold) noexcept nogil
