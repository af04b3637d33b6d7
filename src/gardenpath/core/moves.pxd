"""The kinds of moves, and moves that carry the head of their arc besides."""

cdef enum:
    SHIFT
    REDUCE
    LEFT_ARC
    RIGHT_ARC
    UNSHIFT
    LEFT_ARC_2         # to the third word of the stack (Attardi)
    RIGHT_ARC_2
    NO_ARC             # to the next pair (Covington)
    SWAP
    STAY_LEFT          # arcs between the top of the stack and the front of the buffer, which both stay (stay-eager)
    STAY_RIGHT
    RIGHT_ROOT         # the last word becomes the root word (stay-eager)
    MOVES              # how many there are

# The groups of classes that a learner scores: one a kind of move, and two more whose labels are their own.
cdef enum:
    ROOT_ARC = MOVES   # an arc from the root token: only labels of root words
    ATTACH             # a reduce that gives its word a head and a label of its own (the labelled Reduce)
    GROUPS


cdef inline int with_head(int kind, int word) noexcept nogil:
    """The move of that kind whose arc comes from a word that the kind does not tell (lr-spine)."""
    return kind | (word + 1) << 8


cdef inline int kind_of(int move) noexcept nogil:
    return move & 0xFF


cdef inline int head_of(int move) noexcept nogil:
    """The head that a move carries, -1 if it carries none."""
    return (move >> 8) - 1


cdef inline bint has(unsigned kinds, int kind) noexcept nogil:
    """Is the kind of move in the set (a bit a kind)?"""
    return (kinds >> kind) & 1
