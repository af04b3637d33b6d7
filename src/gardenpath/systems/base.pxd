"""What every transition system answers, and the configuration that Python sees."""

from gardenpath.core.configuration cimport Configuration as RawConfiguration


cdef class TransitionSystem:
    cdef readonly str name
    cdef readonly bint single_root       # does every parse end with exactly one root word?
    cdef int available[16]               # the system's moves, in the paper's order
    cdef int available_count

    cdef void start(self, RawConfiguration* c) noexcept nogil
    cdef bint is_permitted(self, const RawConfiguration* c, int move) noexcept nogil
    cdef void apply_move(self, RawConfiguration* c, int move, int label) noexcept nogil
    cdef bint is_terminal(self, const RawConfiguration* c) noexcept nogil
    cdef bint repairs(self, const RawConfiguration* c, int move) noexcept nogil
    cdef bint builds_arc(self, const RawConfiguration* c, int move) noexcept nogil
    cdef int arc_head(self, const RawConfiguration* c, int move) noexcept nogil
    cdef int arc_child(self, const RawConfiguration* c, int move) noexcept nogil
    cdef int longest(self, int n) noexcept nogil
    cdef unsigned permitted(self, const RawConfiguration* c) noexcept nogil


cdef class Configuration:
    cdef RawConfiguration c
    cdef list label_names

    cdef int label_of(self, label) except -2
