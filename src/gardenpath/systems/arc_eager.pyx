"""The arc-eager family: six systems that differ in how they take back a decision.

Notation: the stack σ has its top s on the right and s₁ below it, the buffer β its front b on the left; h(w) is the head
of w. A word is free while it has no head, and taken once it has one. In the first four systems the root token ROOT is
last in the buffer. The last two have no root token; the last word on the stack becomes the root.
"""

from gardenpath.core.configuration cimport (
    B, Configuration, IN_BUFFER, NONE, ROOT, S, add_arc, buffer_size, is_free, pop, push, put_back,
)
from gardenpath.core.moves cimport LEFT_ARC, REDUCE, RIGHT_ARC, SHIFT, UNSHIFT
from gardenpath.systems.base cimport TransitionSystem


cdef void _fill_buffer(Configuration* c, bint root_last) noexcept nogil:
    cdef int word
    for word in range(1, c.n + 1):
        c.queue[word - 1] = word
        c.places[word] = IN_BUFFER
    c.queue_size = c.n
    if root_last:
        c.queue[c.n] = ROOT
        c.queue_size += 1
        c.places[ROOT] = IN_BUFFER
        c.root_position = c.n + 1


cdef class ArcEager(TransitionSystem):
    """Arc-eager (Nivre, IWPT 2003), with the root token last.

        SHIFT          (σ, b|β, A)    ->  (σ|b, β, A)                  if b = ROOT then σ is empty
        RIGHT-ARC(l)   (σ|s, b|β, A)  ->  (σ|s|b, β, A + s -l-> b)     b is not ROOT
        LEFT-ARC(l)    (σ|s, b|β, A)  ->  (σ, b|β, A + b -l-> s)       s is free
        REDUCE         (σ|s, β, A)    ->  (σ, β, A)                    s is taken

    Starts with an empty stack and the words, then ROOT, in the buffer; ends with ROOT alone on the stack.
    Every parse takes 2n + 1 transitions and ends in a projective tree; several words may be attached to ROOT.
    """

    def __cinit__(self):
        self.name = "arc-eager"
        self.remembers_labels = True
        for i, move in enumerate((SHIFT, RIGHT_ARC, LEFT_ARC, REDUCE)):
            self.available[i] = move
        self.available_count = 4

    cdef void start(self, Configuration* c) noexcept nogil:
        _fill_buffer(c, True)

    cdef bint is_permitted(self, const Configuration* c, int move) noexcept nogil:
        cdef int s = S(c, 0), b = B(c, 0)
        if move == SHIFT:
            return b != NONE and (b != ROOT or s == NONE)
        if move == RIGHT_ARC:
            return s != NONE and b != NONE and b != ROOT
        if move == LEFT_ARC:
            return s != NONE and b != NONE and (self.left_arc_repairs or is_free(c, s))
        if move == REDUCE:
            return s != NONE and b != NONE and (not is_free(c, s) or (self.reduce_repairs and c.stack_size >= 2))
        return False

    cdef void apply_move(self, Configuration* c, int move, int label) noexcept nogil:
        cdef int s = S(c, 0)
        if move == SHIFT:
            push(c)
        elif move == RIGHT_ARC:
            add_arc(c, s, B(c, 0), label)
            push(c)
        elif move == LEFT_ARC:
            add_arc(c, B(c, 0), s, label)
            pop(c)
        elif move == REDUCE:
            if is_free(c, s):
                add_arc(c, S(c, 1), s, label if label != NONE else c.shift_labels[s])
            pop(c)

    cdef bint is_terminal(self, const Configuration* c) noexcept nogil:
        return buffer_size(c) == 0

    cdef bint repairs(self, const Configuration* c, int move) noexcept nogil:
        if move == LEFT_ARC:
            return not is_free(c, S(c, 0))
        return move == REDUCE and is_free(c, S(c, 0))

    cdef int arc_head(self, const Configuration* c, int move) noexcept nogil:
        if move == RIGHT_ARC:
            return S(c, 0)
        if move == LEFT_ARC:
            return B(c, 0)
        if move == REDUCE and is_free(c, S(c, 0)):
            return S(c, 1)
        return NONE

    cdef int arc_child(self, const Configuration* c, int move) noexcept nogil:
        return B(c, 0) if move == RIGHT_ARC else S(c, 0)

    cdef int longest(self, int n) noexcept nogil:
        return 2 * n + 1


cdef class ArcEagerNML(ArcEager):
    """Arc-eager with non-monotonic Left-Arc, NM-L (Honnibal, Goldberg and Johnson, CoNLL 2013).

        SHIFT          (σ, b|β, A)    ->  (σ|b, β, A)                             if b = ROOT then σ is empty
        RIGHT-ARC(l)   (σ|s, b|β, A)  ->  (σ|s|b, β, A + s -l-> b)                b is not ROOT
        LEFT-ARC(l)    (σ|s, b|β, A)  ->  (σ, b|β, A - h(s) -> s + b -l-> s)      repair: a taken s loses its arc
        REDUCE         (σ|s, β, A)    ->  (σ, β, A)                               s is taken

    Starts with an empty stack and the words, then ROOT, in the buffer; ends with ROOT alone on the stack.
    Every parse takes 2n + 1 transitions and ends in a projective tree; several words may be attached to ROOT.
    """

    repairing = ("left-arc",)

    def __cinit__(self):
        self.name = "arc-eager-nml"
        self.left_arc_repairs = True


cdef class ArcEagerNMD(ArcEager):
    """Arc-eager with non-monotonic Reduce, NM-D (Honnibal, Goldberg and Johnson, CoNLL 2013).

        SHIFT          (σ, b|β, A)    ->  (σ|b, β, A)                      if b = ROOT then σ is empty
        RIGHT-ARC(l)   (σ|s, b|β, A)  ->  (σ|s|b, β, A + s -l-> b)         b is not ROOT
        LEFT-ARC(l)    (σ|s, b|β, A)  ->  (σ, b|β, A + b -l-> s)           s is free
        REDUCE         (σ|s, β, A)    ->  (σ, β, A)                        s is taken
        REDUCE         (σ|s₁|s, β, A) ->  (σ|s₁, β, A + s₁ -l-> s)         repair: s is free; l is remembered

    Starts with an empty stack and the words, then ROOT, in the buffer; ends with ROOT alone on the stack.
    Every parse takes 2n + 1 transitions and ends in a projective tree; several words may be attached to ROOT.
    """

    repairing = ("reduce",)
    attaching_reduce = True

    def __cinit__(self):
        self.name = "arc-eager-nmd"
        self.reduce_repairs = True


cdef class ArcEagerNMLD(ArcEager):
    """Arc-eager with non-monotonic Left-Arc and Reduce, NM-L+D (Honnibal, Goldberg and Johnson, CoNLL 2013).

        SHIFT          (σ, b|β, A)    ->  (σ|b, β, A)                             if b = ROOT then σ is empty
        RIGHT-ARC(l)   (σ|s, b|β, A)  ->  (σ|s|b, β, A + s -l-> b)                b is not ROOT
        LEFT-ARC(l)    (σ|s, b|β, A)  ->  (σ, b|β, A - h(s) -> s + b -l-> s)      repair: a taken s loses its arc
        REDUCE         (σ|s, β, A)    ->  (σ, β, A)                               s is taken
        REDUCE         (σ|s₁|s, β, A) ->  (σ|s₁, β, A + s₁ -l-> s)                repair: s is free; l is remembered

    Starts with an empty stack and the words, then ROOT, in the buffer; ends with ROOT alone on the stack.
    Every parse takes 2n + 1 transitions and ends in a projective tree; several words may be attached to ROOT.
    """

    repairing = ("left-arc", "reduce")
    attaching_reduce = True

    def __cinit__(self):
        self.name = "arc-eager-nmld"
        self.left_arc_repairs = True
        self.reduce_repairs = True


cdef class Rootless(TransitionSystem):
    """The common part of the last two systems: no root token, and words that can return to the buffer."""

    def __cinit__(self):
        self.single_root = True
        for i, move in enumerate((SHIFT, RIGHT_ARC, LEFT_ARC, REDUCE, UNSHIFT)):
            self.available[i] = move
        self.available_count = 5

    cdef void start(self, Configuration* c) noexcept nogil:
        _fill_buffer(c, False)

    cdef void apply_move(self, Configuration* c, int move, int label) noexcept nogil:
        cdef int s = S(c, 0)
        if move == SHIFT:
            self.shifted(c, B(c, 0))
            push(c)
        elif move == RIGHT_ARC:
            add_arc(c, s, B(c, 0), label)
            push(c)
        elif move == LEFT_ARC:
            add_arc(c, B(c, 0), s, label)
            pop(c)
        elif move == REDUCE:
            pop(c)
        elif move == UNSHIFT:
            put_back(c)
        if self.is_terminal(c):
            add_arc(c, ROOT, S(c, 0), c.root_label)

    cdef void shifted(self, Configuration* c, int word) noexcept nogil:
        pass

    cdef bint is_terminal(self, const Configuration* c) noexcept nogil:
        return buffer_size(c) == 0 and c.stack_size == 1

    cdef bint repairs(self, const Configuration* c, int move) noexcept nogil:
        return move == UNSHIFT or (move == LEFT_ARC and not is_free(c, S(c, 0)))

    cdef int arc_head(self, const Configuration* c, int move) noexcept nogil:
        if move == RIGHT_ARC:
            return S(c, 0)
        return B(c, 0) if move == LEFT_ARC else NONE

    cdef int arc_child(self, const Configuration* c, int move) noexcept nogil:
        return B(c, 0) if move == RIGHT_ARC else S(c, 0)

    cdef int longest(self, int n) noexcept nogil:
        return 4 * n - 3


cdef class ArcEagerTree(Rootless):
    """Tree-constrained arc-eager (Nivre and Fernández-González, Computational Linguistics 2014).

        SHIFT          (σ, b|β, A, e)      ->  (σ|b, β, A, e)                  e is false, or σ is empty
        RIGHT-ARC(l)   (σ|s, b|β, A, e)    ->  (σ|s|b, β, A + s -l-> b, e)
        LEFT-ARC(l)    (σ|s, b|β, A, e)    ->  (σ, b|β, A + b -l-> s, e)       s is free
        REDUCE         (σ|s, β, A, e)      ->  (σ, β, A, e)                    s is taken
        UNSHIFT        (σ|s₁|s, [], A, e)  ->  (σ|s₁, [s], A, e)               s is free

    Starts with an empty stack, the words in the buffer and e false; e becomes true, for good, when Shift or Right-Arc
    empties the buffer. Ends with an empty buffer and one word on the stack: the root. At most 4n - 3 transitions;
    always a projective tree with one root.
    """

    repairing = ("unshift",)

    def __cinit__(self):
        self.name = "arc-eager-tree"

    cdef bint is_permitted(self, const Configuration* c, int move) noexcept nogil:
        cdef int s = S(c, 0), b = B(c, 0)
        if move == SHIFT:
            return b != NONE and (not c.flag or s == NONE)
        if s == NONE or self.is_terminal(c):
            return False
        if move == RIGHT_ARC:
            return b != NONE
        if move == LEFT_ARC:
            return b != NONE and is_free(c, s)
        if move == REDUCE:
            return not is_free(c, s)
        return move == UNSHIFT and b == NONE and is_free(c, s) and c.stack_size >= 2

    cdef void apply_move(self, Configuration* c, int move, int label) noexcept nogil:
        Rootless.apply_move(self, c, move, label)
        if (move == SHIFT or move == RIGHT_ARC) and buffer_size(c) == 0:
            c.flag = True


cdef class ArcEagerUnshift(Rootless):
    """Arc-eager with Unshift (Honnibal and Johnson, EMNLP 2015).

        SHIFT            (σ, b|β, A, S)     ->  (σ|b, β, A, S(b) = 1)                   S(b) is 0, or σ is empty
        RIGHT-ARC(l)     (σ|s, b|β, A, S)   ->  (σ|s|b, β, A + s -l-> b, S)
        LEFT-ARC(l)      (σ|s, b|β, A, S)   ->  (σ, b|β, A - h(s) -> s + b -l-> s, S)   repair: a taken s loses its arc
        REDUCE           (σ|s, β, A, S)     ->  (σ, β, A, S)                            s is taken
        UNSHIFT          (σ|s₁|s, β, A, S)  ->  (σ|s₁, s|β, A, S)                       repair: s is free

    Starts with an empty stack, the words in the buffer and S = 0 for every word. Ends with an empty buffer and one word
    on the stack: the root. At most 4n - 3 transitions; always a projective tree with one root. Reduce and Unshift are
    never both valid, so a learner may score them as one.
    """

    repairing = ("left-arc", "unshift")
    separable_unshift = True

    def __cinit__(self):
        self.name = "arc-eager-unshift"

    cdef bint is_permitted(self, const Configuration* c, int move) noexcept nogil:
        cdef int s = S(c, 0), b = B(c, 0)
        if move == SHIFT:
            return b != NONE and (not c.marks[b] or s == NONE)
        if s == NONE or self.is_terminal(c):
            return False
        if move == RIGHT_ARC or move == LEFT_ARC:
            return b != NONE
        if move == REDUCE:
            return not is_free(c, s)
        return move == UNSHIFT and is_free(c, s) and c.stack_size >= 2

    cdef void shifted(self, Configuration* c, int word) noexcept nogil:
        c.marks[word] = 1
