# cython: boundscheck=False, wraparound=False
"""The constraint of arc-standard with Swap."""

from libcpp.vector cimport vector

from gardenpath.constraints.base cimport fits, is_complete
from gardenpath.constraints.reordering cimport ReorderingConstraint, is_nearly_in_order
from gardenpath.core.configuration cimport B, Configuration, NONE, ROOT, S, buffer_size
from gardenpath.core.gold cimport Gold, fill_gold, release_gold
from gardenpath.core.moves cimport LEFT_ARC, RIGHT_ARC, SHIFT, SWAP
from gardenpath.systems.base cimport TransitionSystem

cdef enum Policy:
    PROJECTIVE_ORDER
    STACK_BOTTOM_FIRST
    POLICIES


cdef class SwapConstraint(ReorderingConstraint):
    """Arc-standard with Swap.

    A configuration is easy if all words but the top t of the stack are in the order of the sentence, and t is the last
    of the words on the stack. Proof: swaps bring t to the bottom of the stack and the other words back to the buffer.
    Every tree has a projective order in which t is the first word. The other words can be brought into it, as none of
    them has been swapped with another.

    The first policy attaches words as soon as possible, words without a given head anywhere. It puts the words that are
    left into the projective order of the given arcs. The second policy is that of the proof, with the word at the
    bottom of the stack as t. Its tree attaches all words without a given head to one word.
    """

    cdef Gold tree                     # scratch: the tree of the second policy
    cdef vector[int] heads             # scratch: its heads, by word
    cdef vector[long long] keys        # scratch: by word, its place in the projective order that begins with t

    def __init__(self, TransitionSystem system):
        self.policies = POLICIES

    def __dealloc__(self):
        release_gold(&self.tree)

    cdef bint keeps_arcs(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        cdef int child
        if move == SHIFT or move == SWAP:
            return True
        child = self.system.arc_child(c, move)
        return fits(given, self.system.arc_head(c, move), child) and is_complete(c, given, child)

    cdef bint stays_easy(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        return (move != SHIFT or B(c, 0) > S(c, 0)) and is_nearly_in_order(c)

    cdef bint is_easy(self, const Configuration* c, const Gold* given) noexcept nogil:
        return is_nearly_in_order(c)

    cdef const Gold* target(self, const Configuration* c, const Gold* given, int policy) noexcept nogil:
        cdef int word, anchor, first = c.stack[min(1, c.stack_size - 1)]
        if policy == PROJECTIVE_ORDER:
            return given
        self.heads.resize(c.n + 1)
        for word in range(1, c.n + 1):
            self.heads[word] = given.heads[word] if given.heads[word] != NONE else c.heads[word]
        anchor = self._find_anchor(given, first)
        for word in range(1, c.n + 1):
            if self.heads[word] == NONE:
                self.heads[word] = anchor if word != anchor else ROOT
        fill_gold(&self.tree, self.heads.data() + 1, NULL, c.n)
        self._order(first)
        return &self.tree

    cdef int _find_anchor(self, const Gold* given, int word) noexcept nogil:
        """Return the word to which the words without a head are attached: the root word, given or above the word."""
        if not self.system.single_root:
            return ROOT
        if given.first_child[ROOT] < given.first_child[ROOT + 1]:
            return given.children[given.first_child[ROOT]]
        while self.heads[word] != NONE:
            word = self.heads[word]
        return word

    cdef void _order(self, int first) noexcept nogil:
        """Order the words of the tree: first the given word and its dependents, then those of each of its ancestors."""
        cdef int word, above, n = self.tree.n
        cdef long long key = 0, room = n + 2
        self.keys.assign(n + 1, NONE)
        while first != NONE:
            self.keys[first] = key
            key += room
            first = self.tree.heads[first]
        for word in range(1, n + 1):
            above = word
            while self.keys[above] == NONE:
                above = self.tree.heads[above]
            if above != word:
                self.keys[word] = self.keys[above] // room * room + 1 + self.tree.ranks[word]

    cdef int next_move(self, const Configuration* c, const Gold* target, int policy) noexcept nogil:
        cdef bint can_swap = self.system.is_permitted(c, SWAP)
        if self.builds(c, target, LEFT_ARC):
            return LEFT_ARC
        if self.builds(c, target, RIGHT_ARC):
            return RIGHT_ARC
        if can_swap and self._is_inverted(c, target, policy):
            return SWAP
        if buffer_size(c):
            return SHIFT
        return SWAP if can_swap and policy == PROJECTIVE_ORDER else NONE

    cdef bint _is_inverted(self, const Configuration* c, const Gold* target, int policy) noexcept nogil:
        """Return whether the top of the stack precedes the word below it in the order of a policy."""
        if policy == PROJECTIVE_ORDER:
            return target.ranks[S(c, 0)] < target.ranks[S(c, 1)]
        return self.keys[S(c, 0)] < self.keys[S(c, 1)]
