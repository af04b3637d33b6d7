"""Elementary cycles of a graph in which each word has at most two heads: its present one and its gold one."""

from libc.stdint cimport int8_t
from libcpp.vector cimport vector

cdef enum:
    BUILT              # the edge to the present head of a word
    WANTED             # the edge to its gold head, if that is another one and still reachable
    EDGES

# Which cycles to count.
cdef enum Counted:
    NO_CYCLES
    PROBLEMATIC        # cycles whose closing removes a gold arc
    ALL_CYCLES


cdef class CycleCounter:
    cdef int n
    cdef int counted                   # which cycles to count
    cdef int count
    cdef int met                       # the number of cycles found, counted or not
    cdef int start                     # the word at which the cycles of this round begin and end
    cdef vector[int] reached           # by word: the last round that reached it
    cdef vector[int] heads             # by word and edge: the head, NONE if there is none
    cdef vector[int8_t] is_gold        # by word and edge
    cdef vector[int8_t] blocked        # by word: whether it is on the path, or leads nowhere with this path
    cdef vector[int] waiting           # by word: the first in a chain of edges that are unblocked together with it
    cdef vector[int] next_waiting      # by edge: the next in the chain
    cdef vector[int8_t] waits          # by edge: whether it is in a chain
    cdef vector[int] path              # the edges from the start

    cdef int prepare(self, int n) except -1 nogil
    cdef void set_edges(self, int word, int built, int wanted, bint is_gold) noexcept nogil
    cdef int total(self, int counted) noexcept nogil
    cdef bint _is_blocked(self, int word) noexcept nogil
    cdef bint _search(self, int word, int first, int last) noexcept nogil
    cdef void _unblock(self, int word) noexcept nogil
    cdef bint _is_problematic(self) noexcept nogil
