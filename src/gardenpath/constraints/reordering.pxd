"""Constraints of systems in which words change places."""

from libcpp.vector cimport vector

from gardenpath.constraints.slow cimport SlowConstraint
from gardenpath.core.configuration cimport Configuration
from gardenpath.core.gold cimport Gold


cdef class ReorderingConstraint(SlowConstraint):
    cdef int policies                  # the number of policies to try
    cdef Gold tree                     # scratch: the tree that a policy builds
    cdef vector[int] heads             # scratch: its heads, by word

    cdef bint builds(self, const Configuration* c, const Gold* given, int move) noexcept nogil
    cdef bint stays_easy(self, const Configuration* c, const Gold* given, int move) noexcept nogil
    cdef bint is_easy(self, const Configuration* c, const Gold* given) noexcept nogil
    cdef const Gold* target(self, const Configuration* c, const Gold* given, int policy) noexcept nogil
    cdef int next_move(self, const Configuration* c, const Gold* target, int policy) noexcept nogil
    cdef void copy_heads(self, const Configuration* c, const Gold* given) noexcept nogil
    cdef bint _completes(self, const Gold* given, int policy) noexcept nogil
