"""Stay-eager swap: arc-eager in smaller steps, where words can change places with or without a head.

Notation: the stack σ has its top s on the right, the buffer β its front b on the left. The root token ROOT is first.
"""

from libc.limits cimport INT_MAX

from gardenpath.core.configuration cimport (
    B, Configuration, NONE, ROOT, S, add_arc, buffer_size, fill_buffer, is_ancestor, is_free, pop, push, put_back,
    put_behind, right_child,
)
from gardenpath.core.moves cimport REDUCE, RIGHT_ROOT, SHIFT, STAY_LEFT, STAY_RIGHT, SWAP, UNSHIFT
from gardenpath.systems.base cimport TransitionSystem


cdef class StayEager(TransitionSystem):
    """Stay-eager swap (Kohita, Noji and Matsumoto, IWPT 2017).

        STAY-LEFT(l)    (σ|s, b|β, A)   ->  (σ|s, b|β, A + b -l-> s)      s ≠ ROOT has no head and is not above b
        STAY-RIGHT(l)   (σ|s, b|β, A)   ->  (σ|s, b|β, A + s -l-> b)      b has no head and is not above s
        SHIFT           (σ, b|β, A)     ->  (σ|b, β, A)                   b has a head, or nothing has been unshifted
        REDUCE          (σ|s, β, A)     ->  (σ, β, A)                     s has a head
        SWAP            (σ|s, b|β, A)   ->  (σ, b|s|β, A)                 ROOT < s < b
        UNSHIFT         (σ|s, [], A)    ->  (σ, [s], A)                   s ≠ ROOT has no head; Right-Root is not valid
        RIGHT-ROOT      ([ROOT, s], [], A)  ->  ([ROOT], [], A + ROOT -root-> s)    ROOT has no dependents

    Starts with ROOT on the stack and the words in the buffer; ends with ROOT alone on the stack and an empty buffer. A
    parse with k swaps and u unshifts takes at most 3n + 2k + 2u transitions, n² + 4n at most, and ends in a tree; every
    tree can be built. Several words may be attached to ROOT. In single-root mode Stay-Right from ROOT is not valid once
    there is a root word, unless something was unshifted; then that root word becomes the head instead of ROOT.
    """

    has_root_mode = True
    automatic = ("unshift",)             # happens when the buffer is empty
    repairing = ("unshift",)
    template_set = "stay-eager"
    slots = ("S0", "S1", "S2", "N0", "N1", "N2", "S0h", "N0h", "S0l", "S0r", "N0l", "N0r")
    fixed_oracle = "non-static"
    relative_time = 1.5

    def __cinit__(self, bint single_root=False):
        self.name = "stay-eager"
        self.single_root = single_root
        self.is_projective = False
        self.reorders = True
        for i, move in enumerate((STAY_LEFT, STAY_RIGHT, SHIFT, REDUCE, SWAP, UNSHIFT, RIGHT_ROOT)):
            self.available[i] = move
        self.available_count = 7

    cdef void start(self, Configuration* c) noexcept nogil:
        fill_buffer(c)
        push(c)

    cdef bint is_permitted(self, const Configuration* c, int move) noexcept nogil:
        cdef int top = S(c, 0), front = B(c, 0)
        if move == REDUCE:
            return top > ROOT and not is_free(c, top)
        if move == UNSHIFT:
            return front == NONE and top > ROOT and is_free(c, top) and not self._ends_in_root(c)
        if move == RIGHT_ROOT:
            return self._ends_in_root(c)
        if front == NONE:
            return False
        if move == STAY_LEFT:
            return top > ROOT and is_free(c, top) and not is_ancestor(c.heads, top, front)
        if move == STAY_RIGHT:
            return (
                is_free(c, front) and not is_ancestor(c.heads, front, top)
                and not (self.single_root and top == ROOT and right_child(c, ROOT) != NONE and not c.flag)
            )
        if move == SHIFT:
            return not c.flag or not is_free(c, front)
        return move == SWAP and ROOT < top < front

    cdef bint _ends_in_root(self, const Configuration* c) noexcept nogil:
        return c.stack_size == 2 and buffer_size(c) == 0 and is_free(c, S(c, 0)) and right_child(c, ROOT) == NONE

    cdef void apply_move(self, Configuration* c, int move, int label) noexcept nogil:
        if self.arc_head(c, move) != NONE:
            add_arc(c, self.arc_head(c, move), self.arc_child(c, move), label)
        if move == SHIFT:
            push(c)
        elif move in (REDUCE, RIGHT_ROOT):
            pop(c)
        elif move == SWAP:
            put_behind(c)
        elif move == UNSHIFT:
            put_back(c)
            c.flag = True

    cdef bint is_terminal(self, const Configuration* c) noexcept nogil:
        return c.stack_size == 1 and buffer_size(c) == 0

    cdef bint repairs(self, const Configuration* c, int move) noexcept nogil:
        return move == UNSHIFT

    cdef int arc_head(self, const Configuration* c, int move) noexcept nogil:
        if move == STAY_LEFT:
            return B(c, 0)
        if move == RIGHT_ROOT:
            return ROOT
        if move != STAY_RIGHT:
            return NONE
        if self.single_root and S(c, 0) == ROOT and right_child(c, ROOT) != NONE:
            return right_child(c, ROOT)
        return S(c, 0)

    cdef int arc_child(self, const Configuration* c, int move) noexcept nogil:
        return B(c, 0) if move == STAY_RIGHT else S(c, 0)

    cdef int longest(self, int n) noexcept nogil:
        return <int>min(<long long>n * n + 4 * n, <long long>INT_MAX)
