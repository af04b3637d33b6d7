"""Arc-standard with a transition that changes the order of words, so that every tree can be built.

Notation: the stack σ has its top s on the right and s₁ below it, the buffer β its front b on the left. The root token
ROOT is first.
"""

from libc.limits cimport INT_MAX

from gardenpath.core.configuration cimport Configuration, ROOT, S, put_back_second, push
from gardenpath.core.moves cimport SWAP
from gardenpath.systems.arc_standard cimport ArcStandard


cdef class Swap(ArcStandard):
    """Arc-standard with Swap (Nivre, ACL 2009).

        SHIFT          (σ, b|β, A)     ->  (σ|b, β, A)
        LEFT-ARC(l)    (σ|s₁|s, β, A)  ->  (σ|s, β, A + s -l-> s₁)     s₁ is not ROOT
        RIGHT-ARC(l)   (σ|s₁|s, β, A)  ->  (σ|s₁, β, A + s₁ -l-> s)    single-root mode: if s₁ = ROOT then β is empty
        SWAP           (σ|s₁|s, β, A)  ->  (σ|s, s₁|β, A)              ROOT < s₁ < s

    Starts with ROOT on the stack and the words in the buffer; ends with ROOT alone on the stack and an empty buffer. No
    pair of words is swapped twice, so a parse with k swaps takes 2n + 2k transitions, n² + n at most, and ends in a
    tree; every tree can be built. Several words may be attached to ROOT, in single-root mode one.
    """

    template_set = "swap"
    relative_time = 1.2

    def __cinit__(self, bint single_root=False):
        self.name = "swap"
        self.is_projective = False
        self.reorders = True
        self.available[self.available_count] = SWAP
        self.available_count += 1

    cdef void start(self, Configuration* c) noexcept nogil:
        ArcStandard.start(self, c)
        push(c)

    cdef bint is_permitted(self, const Configuration* c, int move) noexcept nogil:
        if move == SWAP:
            return c.stack_size >= 2 and ROOT < S(c, 1) < S(c, 0)
        return ArcStandard.is_permitted(self, c, move)

    cdef void apply_move(self, Configuration* c, int move, int label) noexcept nogil:
        if move == SWAP:
            put_back_second(c)
        else:
            ArcStandard.apply_move(self, c, move, label)

    cdef int longest(self, int n) noexcept nogil:
        return <int>min(<long long>n * n + n, <long long>INT_MAX)
