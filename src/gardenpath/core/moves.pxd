"""The kinds of moves."""

cdef enum:
    SHIFT
    REDUCE
    LEFT_ARC
    RIGHT_ARC
    UNSHIFT
    MOVES              # how many there are

# The groups of classes that a learner scores: one a move, and two more whose labels are their own.
cdef enum:
    ROOT_ARC = MOVES   # an arc from the root token: only labels of root words
    ATTACH             # a reduce that gives its word a head and a label of its own (the labelled Reduce)
    GROUPS


cdef inline bint has(unsigned moves, int move) noexcept nogil:
    """Is the move in the set (a bit a move)?"""
    return (moves >> move) & 1
