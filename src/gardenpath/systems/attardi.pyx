"""Attardi's parser, restricted: arc-standard with two arcs that reach over one word, for common non-projective trees.

Notation: the stack σ has its top s on the right, s₁ below it and s₂ below that, the buffer β its front b on the left.
The root token ROOT is first.
"""

from gardenpath.core.configuration cimport Configuration, ROOT, S, add_arc, push, take_out
from gardenpath.core.moves cimport LEFT_ARC, LEFT_ARC_2, RIGHT_ARC, RIGHT_ARC_2, SHIFT
from gardenpath.systems.arc_standard cimport ArcStandard


cdef class Attardi(ArcStandard):
    """Attardi's parser (Attardi, CoNLL 2006; restricted: Gómez-Rodríguez, Sartorio and Satta, EMNLP 2014).

        SHIFT            (σ, b|β, A)        ->  (σ|b, β, A)
        LEFT-ARC(l)      (σ|s₁|s, β, A)     ->  (σ|s, β, A + s -l-> s₁)        s₁ is not ROOT
        RIGHT-ARC(l)     (σ|s₁|s, β, A)     ->  (σ|s₁, β, A + s₁ -l-> s)       single-root mode: s₁ ≠ ROOT or β is empty
        LEFT-ARC:2(l)    (σ|s₂|s₁|s, β, A)  ->  (σ|s₁|s, β, A + s -l-> s₂)     s₂ is not ROOT
        RIGHT-ARC:2(l)   (σ|s₂|s₁|s, β, A)  ->  (σ|s₂|s₁, β, A + s₂ -l-> s)    single-root mode: s₂ is not ROOT

    Starts with ROOT on the stack and the words in the buffer; ends with ROOT alone on the stack and an empty buffer.
    Every parse takes 2n transitions and ends in a tree: all projective trees and the common non-projective ones can be
    built. Several words may be attached to ROOT, in single-root mode one.
    """

    template_set = "attardi"
    slots = ("S0", "S1", "S2", "S3", "N0", "N1", "N2", "S0l", "S0r", "S1l", "S1r", "S2r")
    preference = "gold-first"            # many of its arcs can be postponed
    relative_time = 1.7

    def __cinit__(self, bint single_root=False):
        self.name = "attardi"
        self.is_projective = False
        for i, move in enumerate((SHIFT, LEFT_ARC, RIGHT_ARC, LEFT_ARC_2, RIGHT_ARC_2)):
            self.available[i] = move
        self.available_count = 5

    cdef void start(self, Configuration* c) noexcept nogil:
        ArcStandard.start(self, c)
        push(c)

    cdef bint is_permitted(self, const Configuration* c, int move) noexcept nogil:
        if move == LEFT_ARC_2:
            return c.stack_size >= 3 and S(c, 2) != ROOT
        if move == RIGHT_ARC_2:
            return c.stack_size >= 3 and not (self.single_root and S(c, 2) == ROOT)
        return ArcStandard.is_permitted(self, c, move)

    cdef void apply_move(self, Configuration* c, int move, int label) noexcept nogil:
        if move == LEFT_ARC_2 or move == RIGHT_ARC_2:
            add_arc(c, self.arc_head(c, move), self.arc_child(c, move), label)
            take_out(c, 2 if move == LEFT_ARC_2 else 0)
        else:
            ArcStandard.apply_move(self, c, move, label)

    cdef int arc_head(self, const Configuration* c, int move) noexcept nogil:
        if move == LEFT_ARC_2:
            return S(c, 0)
        return S(c, 2) if move == RIGHT_ARC_2 else ArcStandard.arc_head(self, c, move)

    cdef int arc_child(self, const Configuration* c, int move) noexcept nogil:
        return S(c, 2) if move == LEFT_ARC_2 else ArcStandard.arc_child(self, c, move)

    cdef int longest(self, int n) noexcept nogil:
        return 2 * n
