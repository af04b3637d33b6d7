"""Constraints of systems in which words change places."""

from libc.stdint cimport uint64_t
from libcpp.unordered_set cimport unordered_set
from libcpp.vector cimport vector

from gardenpath.constraints.slow cimport SlowConstraint
from gardenpath.core.configuration cimport Configuration
from gardenpath.core.gold cimport Gold

# A configuration on the path of the search.
cdef struct Step:
    Configuration c
    int[16] moves                      # the transitions that are left to try
    int count


cdef class ReorderingConstraint(SlowConstraint):
    cdef int policies                  # the number of policies to try
    cdef vector[Step] path             # scratch of the search
    cdef unordered_set[uint64_t] seen  # scratch: the keys of the configurations that the search has opened

    cdef bint can_agree(self, const Configuration* c, const Gold* given, int move) noexcept nogil
    cdef bint stays_easy(self, const Configuration* c, const Gold* given, int move) noexcept nogil
    cdef bint is_easy(self, const Configuration* c, const Gold* given) noexcept nogil
    cdef const Gold* target(self, const Configuration* c, const Gold* given, int policy) noexcept nogil
    cdef int next_move(self, const Configuration* c, const Gold* target, int policy) noexcept nogil
    cdef bint builds(self, const Configuration* c, const Gold* given, int move) noexcept nogil
    cdef uint64_t key(self, const Configuration* c) noexcept nogil
    cdef bint _completes(self, const Gold* given, int policy) noexcept nogil
    cdef void _make_room(self, size_t size) noexcept nogil
    cdef bint _finds_way(self, const Configuration* c, const Gold* given, int move) noexcept nogil


cdef bint is_nearly_in_order(const Configuration* c) noexcept nogil
