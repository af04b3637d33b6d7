"""Elementary cycles of a graph in which each word has at most two heads: the one it has, and the gold one that it can still get."""

from libc.stdint cimport int8_t
from libcpp.vector cimport vector

cdef enum:
    BUILT              # the head that a word has
    WANTED             # its gold head, if that is another and can still be had
    EDGES

# What to count.
cdef enum Counted:
    NO_CYCLES
    PROBLEMATIC        # those that cost a gold arc when they are closed
    ALL_CYCLES


cdef class CycleCounter:
    cdef int n
    cdef int counted                   # which cycles
    cdef int count
    cdef int met                       # counted or not
    cdef int start                     # the word at which the cycles of the present round begin and end
    cdef vector[int] reached           # by word: in which round
    cdef vector[int] heads             # by word and edge: where it leads; NONE if nowhere
    cdef vector[int8_t] is_gold        # by word and edge
    cdef vector[int8_t] blocked        # by word: on the path, or known to lead nowhere until something on the path is left
    cdef vector[int] waiting           # by word: the first edge in the chain of those that become passable again when it does
    cdef vector[int] next_waiting      # by edge: the next in the chain
    cdef vector[int8_t] waits          # by edge: is it in a chain?
    cdef vector[int] path              # the edges from the start on

    cdef int prepare(self, int n) except -1 nogil
    cdef void set_edges(self, int word, int built, int wanted, bint is_gold) noexcept nogil
    cdef int total(self, int counted) noexcept nogil
    cdef bint _is_blocked(self, int word) noexcept nogil
    cdef bint _search(self, int word, int first, int last) noexcept nogil
    cdef void _unblock(self, int word) noexcept nogil
    cdef bint _is_problematic(self) noexcept nogil
