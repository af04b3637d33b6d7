"""Arc-hybrid and its oracles, an example of a transition system outside gardenpath.

Notation: the stack σ has its top s on the right and t below it, the buffer β has its front b on the left. The root
token ROOT comes first.
"""

from gardenpath.core.configuration cimport (
    B, Configuration, IN_BUFFER, NONE, ON_STACK, ROOT, S, add_arc, buffer_size, fill_buffer, pop, push,
)
from gardenpath.core.gold cimport Gold, children_in_buffer, children_on_stack, head_in_buffer, head_on_stack
from gardenpath.core.moves cimport LEFT_ARC, RIGHT_ARC, SHIFT
from gardenpath.oracles.base cimport Oracle
from gardenpath.systems.base cimport TransitionSystem


cdef class ArcHybrid(TransitionSystem):
    """Arc-hybrid (Kuhlmann, Gómez-Rodríguez and Satta, ACL 2011), with the root token first.

        SHIFT          (σ, b|β, A)     ->  (σ|b, β, A)
        LEFT-ARC(l)    (σ|s, b|β, A)   ->  (σ, b|β, A + b -l-> s)     s is not ROOT
        RIGHT-ARC(l)   (σ|t|s, β, A)   ->  (σ|t, β, A + t -l-> s)     single-root mode: if t = ROOT then β is empty

    Starts with ROOT on the stack and the words in the buffer; ends with ROOT alone on the stack and an empty buffer.
    Every parse takes 2n transitions and ends in a projective tree. ROOT may have several dependents; in single-root
    mode, one.
    """

    has_root_mode = True

    def __cinit__(self, bint single_root=False):
        self.name = "arc-hybrid"
        self.single_root = single_root
        for i, move in enumerate((SHIFT, LEFT_ARC, RIGHT_ARC)):
            self.available[i] = move
        self.available_count = 3

    cdef void start(self, Configuration* c) noexcept nogil:
        fill_buffer(c)
        push(c)

    cdef bint is_permitted(self, const Configuration* c, int move) noexcept nogil:
        if move == SHIFT:
            return buffer_size(c) > 0
        if move == LEFT_ARC:
            return buffer_size(c) > 0 and S(c, 0) != ROOT
        return move == RIGHT_ARC and c.stack_size >= 2 and not (self.single_root and S(c, 1) == ROOT and buffer_size(c))

    cdef void apply_move(self, Configuration* c, int move, int label) noexcept nogil:
        if move == SHIFT:
            push(c)
        else:
            add_arc(c, self.arc_head(c, move), self.arc_child(c, move), label)
            pop(c)

    cdef bint is_terminal(self, const Configuration* c) noexcept nogil:
        return c.stack_size == 1 and buffer_size(c) == 0

    cdef int arc_head(self, const Configuration* c, int move) noexcept nogil:
        if move == LEFT_ARC:
            return B(c, 0)
        return S(c, 1) if move == RIGHT_ARC else NONE

    cdef int arc_child(self, const Configuration* c, int move) noexcept nogil:
        return S(c, 0)

    cdef int longest(self, int n) noexcept nogil:
        return 2 * n


cdef class ArcHybridOracle(Oracle):
    """Exact costs of arc-hybrid (Goldberg and Nivre, TACL 2013)."""

    def __init__(self, ArcHybrid system, *_):
        pass

    cdef int loss_of(self, const Configuration* c, const Gold* gold) noexcept nogil:
        cdef int i, word, lost = 0
        for word in range(1, c.n + 1):
            if c.heads[word] != gold.heads[word] and c.places[word] != ON_STACK:
                lost += not _in_reach_from_buffer(c, gold, word)
        for i in range(1, c.stack_size):
            # A word on the stack can still get the word directly below it, or one in the buffer, as head.
            lost += gold.heads[c.stack[i]] != c.stack[i - 1] and not head_in_buffer(c, gold, c.stack[i])
        return lost

    cdef int cost_of(self, const Configuration* c, const Gold* gold, int move) noexcept nogil:
        if move == SHIFT:
            return _shift_cost(c, gold)
        return _left_arc_cost(c, gold) if move == LEFT_ARC else _right_arc_cost(c, gold)

    cdef int static_move(self, const Configuration* c, const Gold* gold) noexcept nogil:
        cdef int s = S(c, 0)
        if s != ROOT and gold.heads[s] == B(c, 0):
            return LEFT_ARC
        if s != ROOT and gold.heads[s] == S(c, 1) and children_in_buffer(c, gold, s) == 0:
            return RIGHT_ARC
        return SHIFT


cdef bint _in_reach_from_buffer(const Configuration* c, const Gold* gold, int word) noexcept nogil:
    return c.places[word] == IN_BUFFER and (head_in_buffer(c, gold, word) or head_on_stack(c, gold, word))


cdef int _shift_cost(const Configuration* c, const Gold* gold) noexcept nogil:
    # b moves onto the stack above s. Only s can still become its head from the stack, and no word there its dependent.
    cdef int b = B(c, 0)
    return (head_on_stack(c, gold, b) and gold.heads[b] != S(c, 0)) + children_on_stack(c, gold, b)


cdef int _left_arc_cost(const Configuration* c, const Gold* gold) noexcept nogil:
    # s leaves with head b. Its gold head is lost if it is the word below s or behind b, and so are its dependents in
    # the buffer, including b.
    cdef int s = S(c, 0)
    cdef bint head_lost = gold.heads[s] == S(c, 1) or (head_in_buffer(c, gold, s) and gold.heads[s] != B(c, 0))
    return head_lost + children_in_buffer(c, gold, s)


cdef int _right_arc_cost(const Configuration* c, const Gold* gold) noexcept nogil:
    # s leaves with head t. Its gold head in the buffer is lost, and so are its dependents there.
    cdef int s = S(c, 0)
    return head_in_buffer(c, gold, s) + children_in_buffer(c, gold, s)
