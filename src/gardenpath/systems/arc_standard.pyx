"""Arc-standard: arcs between the two topmost words of the stack, bottom-up.

Notation: the stack σ has its top s on the right and s₁ below it, the buffer β its front b on the left. The root token
ROOT is first.
"""

from gardenpath.core.configuration cimport (
    Configuration, NONE, ROOT, S, add_arc, buffer_size, fill_buffer, push, take_out,
)
from gardenpath.core.moves cimport LEFT_ARC, RIGHT_ARC, SHIFT
from gardenpath.systems.base cimport TransitionSystem


cdef class ArcStandard(TransitionSystem):
    """Arc-standard (Nivre, ACL workshop 2004), with the root token first.

        SHIFT          (σ, b|β, A)     ->  (σ|b, β, A)
        LEFT-ARC(l)    (σ|s₁|s, β, A)  ->  (σ|s, β, A + s -l-> s₁)     s₁ is not ROOT
        RIGHT-ARC(l)   (σ|s₁|s, β, A)  ->  (σ|s₁, β, A + s₁ -l-> s)    single-root mode: if s₁ = ROOT then β is empty

    Starts with an empty stack and ROOT, then the words, in the buffer; ends with ROOT alone on the stack and an empty
    buffer. Every parse takes 2n + 1 transitions and ends in a projective tree; several words may be attached to ROOT,
    in single-root mode one.
    """

    has_root_mode = True
    dependents_leave = True
    template_set = "arc-standard"
    slots = ("S0", "S1", "S2", "S3", "N0", "N1", "N2", "S0l", "S0r", "S1l", "S1r")

    def __cinit__(self, bint single_root=False):
        self.name = "arc-standard"
        self.single_root = single_root
        self.pair = ("S1", "S0")
        for i, move in enumerate((SHIFT, LEFT_ARC, RIGHT_ARC)):
            self.available[i] = move
        self.available_count = 3

    cdef void start(self, Configuration* c) noexcept nogil:
        fill_buffer(c)

    cdef bint is_permitted(self, const Configuration* c, int move) noexcept nogil:
        if move == SHIFT:
            return buffer_size(c) > 0
        if move == LEFT_ARC:
            return c.stack_size >= 2 and S(c, 1) != ROOT
        if move != RIGHT_ARC or c.stack_size < 2:
            return False
        return not (self.single_root and S(c, 1) == ROOT and buffer_size(c))

    cdef void apply_move(self, Configuration* c, int move, int label) noexcept nogil:
        if move == SHIFT:
            push(c)
        else:
            add_arc(c, self.arc_head(c, move), self.arc_child(c, move), label)
            take_out(c, 1 if move == LEFT_ARC else 0)

    cdef bint is_terminal(self, const Configuration* c) noexcept nogil:
        return c.stack_size == 1 and buffer_size(c) == 0

    cdef int arc_head(self, const Configuration* c, int move) noexcept nogil:
        if move == LEFT_ARC:
            return S(c, 0)
        return S(c, 1) if move == RIGHT_ARC else NONE

    cdef int arc_child(self, const Configuration* c, int move) noexcept nogil:
        return S(c, 1) if move == LEFT_ARC else S(c, 0)

    cdef int longest(self, int n) noexcept nogil:
        return 2 * n + 1
