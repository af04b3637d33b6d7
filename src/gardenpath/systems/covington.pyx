"""Covington's parser goes through all pairs of words, so that every tree can be built, with crossing arcs or without.

Notation: i and j are the words of the pair. The list λ₁ holds the words 1 to i, λ₂ those between i and j, the buffer β
those from j on; h(w) is the head of w. In a configuration, the stack is λ₁ and the buffer β; λ₂ is what lies between.
"""

from libc.limits cimport INT_MAX

from gardenpath.core.configuration cimport Configuration, NONE, ROOT, add_arc, is_ancestor, is_free, remove_arc
from gardenpath.core.moves cimport LEFT_ARC, NO_ARC, RIGHT_ARC, SHIFT
from gardenpath.systems.base cimport BETWEEN, STACK, TransitionSystem


cdef class Covington(TransitionSystem):
    """Covington's parser (Covington, ACM Southeast 2001; as transitions: Nivre, Computational Linguistics 2008).

        SHIFT          (λ₁, λ₂, j|β, A)    ->  (λ₁λ₂|j, [], β, A)
        NO-ARC         (λ₁|i, λ₂, j|β, A)  ->  (λ₁, i|λ₂, j|β, A)
        LEFT-ARC(l)    (λ₁|i, λ₂, j|β, A)  ->  (λ₁, i|λ₂, j|β, A + j -l-> i)     i has no head and is not above j
        RIGHT-ARC(l)   (λ₁|i, λ₂, j|β, A)  ->  (λ₁, i|λ₂, j|β, A + i -l-> j)     j has no head and is not above i

    Starts with empty lists and the words in the buffer; ends with an empty buffer. Then the words without a head are
    attached to ROOT. At most n + n(n - 1)/2 transitions; always a tree; every tree can be built; several words may be
    attached to ROOT.
    """

    template_set = "covington"
    slots = ("S0", "S1", "N0", "N1", "N2", "S0h", "N0h", "S0l", "S0r", "N0l", "CL", "CR")
    relative_time = 2.0

    def __cinit__(self):
        self.name = "covington"
        self.is_projective = False
        self.has_pairs = True
        for i, move in enumerate((SHIFT, NO_ARC, LEFT_ARC, RIGHT_ARC)):
            self.available[i] = move
        self.available_count = 4

    cdef void start(self, Configuration* c) noexcept nogil:
        # The words stay in the array of the stack; the size of the stack says which of them belong to λ₁.
        cdef int word
        for word in range(1, c.n + 1):
            c.stack[word - 1] = c.queue[word - 1] = word
        c.queue_size = c.n

    cdef bint is_permitted(self, const Configuration* c, int move) noexcept nogil:
        cdef int i = left_focus(c), j = right_focus(c)
        if move == SHIFT or i == 0 or j > c.n:
            return move == SHIFT and j <= c.n
        if move == LEFT_ARC:
            return is_free(c, i) and not is_ancestor(c.heads, i, j)
        if move == RIGHT_ARC:
            return is_free(c, j) and not is_ancestor(c.heads, j, i)
        return move == NO_ARC

    cdef int forced(self, const Configuration* c) noexcept nogil:
        """Return SHIFT if no pair that is left can get an arc.

        Once j has a head, only words without a head can get an arc, except for the topmost ancestor of j. If λ₁ holds
        no such word, no pair that is left matters.
        """
        cdef int word = right_focus(c)
        if is_free(c, word):
            return NONE
        while not is_free(c, word):
            word = c.heads[word]
        cdef int i, top = word
        for i in range(left_focus(c), 0, -1):
            if is_free(c, i) and i != top:
                return NONE
        return SHIFT

    cdef void apply_move(self, Configuration* c, int move, int label) noexcept nogil:
        cdef int word
        if move == SHIFT:
            c.cursor += 1
            c.stack_size = c.cursor
            if c.cursor == c.n:
                for word in range(1, c.n + 1):
                    if is_free(c, word):
                        add_arc(c, ROOT, word, c.root_label)
            return
        if move != NO_ARC:
            self.attach(c, self.arc_head(c, move), self.arc_child(c, move), label)
        c.stack_size -= 1

    cdef void attach(self, Configuration* c, int head, int child, int label) noexcept nogil:
        add_arc(c, head, child, label)

    cdef bint is_terminal(self, const Configuration* c) noexcept nogil:
        return c.cursor == c.n

    cdef int arc_head(self, const Configuration* c, int move) noexcept nogil:
        if move == LEFT_ARC:
            return right_focus(c)
        return left_focus(c) if move == RIGHT_ARC else NONE

    cdef int arc_child(self, const Configuration* c, int move) noexcept nogil:
        return left_focus(c) if move == LEFT_ARC else right_focus(c)

    cdef int longest(self, int n) noexcept nogil:
        return <int>min(n + <long long>n * (n - 1) // 2, <long long>INT_MAX)

    cdef int word_at(self, const Configuration* c, int move, int base, int index) noexcept nogil:
        """Return, for BETWEEN, the first (0) or the last (1) word between i and j whose head is outside of i to j."""
        cdef int i = left_focus(c), j = right_focus(c), step = -1 if index else 1
        cdef int word = j - 1 if index else i + 1
        if base != BETWEEN:
            return TransitionSystem.word_at(self, c, move, base, index)
        while ROOT < i < word < j:
            if c.heads[word] < i or c.heads[word] > j:
                return word
            word += step
        return NONE

    cdef bint is_moved(self, int kind, int base, int index) noexcept nogil:
        return base == BETWEEN or (base == STACK) == (kind == LEFT_ARC)


cdef class CovingtonNM(Covington):
    """Covington's parser, fully non-monotonic (Fernández-González and Gómez-Rodríguez, ACL 2017).

        SHIFT          (λ₁, λ₂, j|β, A)    ->  (λ₁λ₂|j, [], β, A)
        NO-ARC         (λ₁|i, λ₂, j|β, A)  ->  (λ₁, i|λ₂, j|β, A)
        LEFT-ARC(l)    (λ₁|i, λ₂, j|β, A)  ->  (λ₁, i|λ₂, j|β, A - h(i) -> i + j -l-> i)
                       repairs: an arc into i is replaced; if i is above j, h(j) -> j is removed too
        RIGHT-ARC(l)   (λ₁|i, λ₂, j|β, A)  ->  (λ₁, i|λ₂, j|β, A - h(j) -> j + i -l-> j)
                       repairs: an arc into j is replaced; if j is above i, h(i) -> i is removed too

    Starts with empty lists and the words in the buffer; ends with an empty buffer. Then the words without a head are
    attached to ROOT. At most n + n(n - 1)/2 transitions; always a tree; every tree can be built; several words may be
    attached to ROOT.
    """

    repairing = ("left-arc", "right-arc")
    template_set = "covington-nm"
    relative_time = 3.4

    def __cinit__(self):
        self.name = "covington-nm"

    cdef bint is_permitted(self, const Configuration* c, int move) noexcept nogil:
        if right_focus(c) > c.n:
            return False
        return move == SHIFT or (left_focus(c) > 0 and move in (NO_ARC, LEFT_ARC, RIGHT_ARC))

    cdef int forced(self, const Configuration* c) noexcept nogil:
        return NONE

    cdef void attach(self, Configuration* c, int head, int child, int label) noexcept nogil:
        if is_ancestor(c.heads, child, head):
            remove_arc(c, head)
        add_arc(c, head, child, label)

    cdef bint repairs(self, const Configuration* c, int move) noexcept nogil:
        cdef int child
        if move != LEFT_ARC and move != RIGHT_ARC:
            return False
        child = self.arc_child(c, move)
        return not is_free(c, child) or is_ancestor(c.heads, child, self.arc_head(c, move))
