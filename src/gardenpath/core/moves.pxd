"""Transitions as integers: a kind, and in some systems also the head of the arc."""

cdef enum:
    SHIFT
    REDUCE
    LEFT_ARC
    RIGHT_ARC
    UNSHIFT
    LEFT_ARC_2         # to the third word of the stack
    RIGHT_ARC_2
    NO_ARC             # go to the next pair of words without an arc
    SWAP
    STAY_LEFT          # arcs between the top of the stack and the front of the buffer that move neither word
    STAY_RIGHT
    RIGHT_ROOT         # the last word becomes the root word
    CUSTOM             # the first kind for transitions with names of their own (systems in plain Python)
    MOVES = CUSTOM + 13

# The groups of classes that a learner scores: one for each kind of transition, and two with labels of their own.
cdef enum:
    ROOT_ARC = MOVES   # an arc from the root token: only labels of root words
    ATTACH             # a Reduce that builds an arc and chooses its label
    GROUPS


cdef inline int with_head(int kind, int word) noexcept nogil:
    """Return the transition of that kind whose arc has this word as its head."""
    return kind | (word + 1) << 8


cdef inline int kind_of(int move) noexcept nogil:
    return move & 0xFF


cdef inline int head_of(int move) noexcept nogil:
    """Return the head that a transition carries, -1 if it carries none."""
    return (move >> 8) - 1


cdef inline bint has(unsigned kinds, int kind) noexcept nogil:
    """Return whether a set of kinds, one bit each, contains a kind."""
    return (kinds >> kind) & 1
