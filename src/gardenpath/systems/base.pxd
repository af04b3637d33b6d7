"""What every transition system answers, and the configuration that Python sees."""

from gardenpath.core.configuration cimport Configuration as RawConfiguration

# Where templates find words: on the stack, in the buffer, above the head of a deep move (lr-spine), between the focus words (Covington).
cdef enum Base:
    STACK
    BUFFER
    ABOVE
    BETWEEN
    BASES              # how many there are


cdef class TransitionSystem:
    cdef readonly str name
    cdef readonly bint single_root       # does every parse end with exactly one root word?
    cdef readonly bint is_projective     # is every parse projective?
    cdef readonly bint reorders          # may words change places, so that it builds every tree and arcs of either kind lead to either side?
    cdef readonly bint has_depths        # do its arcs reach down to any depth, each candidate seeing words of its own?
    cdef readonly bint has_pairs         # do its arcs lie between two words of which one stays in place while the other moves on?
    cdef readonly bint remembers_labels  # may a word be attached later with the label that a right-arc had for it when it was pushed?
    cdef readonly tuple pair             # the addresses of the two words between which arcs are built
    cdef int available[16]               # the kinds of the system's moves, in the paper's order
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
    cdef int widest(self, int n) noexcept nogil
    cdef int forced(self, const RawConfiguration* c) noexcept nogil
    cdef int list_moves(self, const RawConfiguration* c, int* moves) noexcept nogil
    cdef int word_at(self, const RawConfiguration* c, int move, int base, int index) noexcept nogil
    cdef bint is_deep(self, const RawConfiguration* c, int move) noexcept nogil
    cdef bint is_moved(self, int kind, int base, int index) noexcept nogil
    cdef str name_of(self, const RawConfiguration* c, int move)
    cdef dict named(self, Configuration c)
    cdef tuple arc_of(self, Configuration c, int move)
    cdef int require(self, Configuration c) except -1


cdef class Configuration:
    cdef RawConfiguration c
    cdef str system                      # the name of the one it belongs to
    cdef bint single_root                # was that in single-root mode?
    cdef list label_names

    cdef int label_of(self, label) except -2
