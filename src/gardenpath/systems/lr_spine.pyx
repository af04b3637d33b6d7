"""LR-spine: arcs from a spine of one tree to the root of its neighbour.

The stack holds trees, represented by their roots. The left spine of a tree goes from its root to the root's leftmost
left dependent, from there to that word's leftmost left dependent, and so on; the right spine likewise. So spines need
no memory of their own. A new arc hides what lay beyond its head, since the new dependent is farther out. A transition
carries the word of the spine that is the head of its arc.

Notation: the stack σ has its top tree t on the right and t₁ below it, the buffer β its front b on the left; r(t) is the
root of t, l(t, k) and r(t, k) are the k-th words of its left and right spine. The root is the first word of both. The
root token ROOT is first.
"""

from gardenpath.core.configuration cimport (
    B, Configuration, NONE, ROOT, S, add_arc, buffer_size, left_child, push, right_child, take_out,
)
from gardenpath.core.moves cimport LEFT_ARC, RIGHT_ARC, SHIFT, head_of, kind_of, with_head
from gardenpath.systems.arc_standard cimport ArcStandard
from gardenpath.systems.base cimport ABOVE, BETWEEN, BUFFER, STACK, TransitionSystem

from gardenpath.core.moves import NAMES


cdef class LRSpine(ArcStandard):
    """LR-spine (Sartorio, Satta and Nivre, ACL 2013), with the root token first.

        SHIFT            (σ, b|β, A)     ->  (σ|b, β, A)
        LEFT-ARC:k(l)    (σ|t₁|t, β, A)  ->  (σ|t, β, A + l(t, k) -l-> r(t₁))     r(t₁) is not ROOT
        RIGHT-ARC:k(l)   (σ|t₁|t, β, A)  ->  (σ|t₁, β, A + r(t₁, k) -l-> r(t))    single-root mode: if r(t₁, k) = ROOT
                                                                                  then β is empty

    Starts with an empty stack and ROOT, then the words, in the buffer; ends with the tree of ROOT alone on the stack
    and an empty buffer. Every parse takes 2n + 1 transitions and ends in a projective tree; several words may be
    attached to ROOT, in single-root mode one.
    """

    dependents_leave = False             # dependents stay in sight, on the spines
    template_set = "lr-spine"
    slots = ("S0", "S1", "S2", "S3", "N0", "N1", "N2", "S0l", "S0r", "S1l", "S1r", "A0", "A1")
    relative_time = 1.6

    def __cinit__(self, bint single_root=False):
        self.name = "lr-spine"
        self.has_depths = True

    @property
    def moves(self):
        """The names of the system's transitions, in the paper's order."""
        return ["shift", "left-arc:k", "right-arc:k"]

    cdef bint is_permitted(self, const Configuration* c, int move) noexcept nogil:
        cdef int word
        if move == SHIFT:
            return buffer_size(c) > 0
        if c.stack_size < 2:
            return False
        if kind_of(move) == LEFT_ARC:
            word = S(c, 0)
            while word != NONE and word != head_of(move):
                word = left_child(c, word)
            return word != NONE and S(c, 1) != ROOT
        word = S(c, 1)
        while word != NONE and word != head_of(move):
            word = right_child(c, word)
        return word != NONE and not (self.single_root and word == ROOT and buffer_size(c))

    cdef int widest(self, int n) noexcept nogil:
        return n + 3

    cdef int list_moves(self, const Configuration* c, int* moves) noexcept nogil:
        cdef int word, count = 0
        if buffer_size(c):
            moves[0] = SHIFT
            count = 1
        if c.stack_size < 2:
            return count
        if S(c, 1) != ROOT:
            word = S(c, 0)
            while word != NONE:
                moves[count] = with_head(LEFT_ARC, word)
                word, count = left_child(c, word), count + 1
        word = S(c, 1)
        if self.single_root and word == ROOT and buffer_size(c):
            return count
        while word != NONE:
            moves[count] = with_head(RIGHT_ARC, word)
            word, count = right_child(c, word), count + 1
        return count

    cdef void apply_move(self, Configuration* c, int move, int label) noexcept nogil:
        if move == SHIFT:
            push(c)
        else:
            add_arc(c, self.arc_head(c, move), self.arc_child(c, move), label)
            take_out(c, 1 if kind_of(move) == LEFT_ARC else 0)

    cdef int arc_head(self, const Configuration* c, int move) noexcept nogil:
        return head_of(move)

    cdef int arc_child(self, const Configuration* c, int move) noexcept nogil:
        return S(c, 1) if kind_of(move) == LEFT_ARC else S(c, 0)

    cdef int word_at(self, const Configuration* c, int move, int base, int index) noexcept nogil:
        """Return the word at an address. S0 and S1 are the two ends of the arc that the transition builds.

        The words of the spine above its head come before the buffer (Left-Arc) or before the rest of the stack
        (Right-Arc).
        """
        cdef bint to_left = kind_of(move) == LEFT_ARC
        cdef int i, word = head_of(move), root = S(c, 0) if to_left else S(c, 1)
        if base == BETWEEN:
            return NONE
        if not self.is_deep(c, move) or (base == STACK and index == to_left) or (base == BUFFER and not to_left):
            return TransitionSystem.word_at(self, c, move, base, index)
        if base == STACK and to_left and index > 1:
            return S(c, index)
        for i in range(index + (base != STACK) - (base == STACK and not to_left)):
            if word == root:
                return NONE if base == ABOVE else B(c, index - i) if to_left else S(c, index - i)
            word = c.heads[word]
        return word

    cdef bint is_deep(self, const Configuration* c, int move) noexcept nogil:
        return move != SHIFT and head_of(move) != (S(c, 0) if kind_of(move) == LEFT_ARC else S(c, 1))

    cdef bint is_moved(self, int kind, int base, int index) noexcept nogil:
        return base == ABOVE or (base == BUFFER or index == 0 if kind == LEFT_ARC else base == STACK and index > 0)

    cdef str name_of(self, const Configuration* c, int move):
        cdef int k = 1, word = head_of(move)
        while self.is_deep(c, with_head(kind_of(move), word)):
            word, k = c.heads[word], k + 1
        return f"{NAMES[kind_of(move)]}:{k}" if move != SHIFT else NAMES[SHIFT]
