"""The constraints of systems in which words change places: arc-standard with Swap, and stay-eager swap.

While the words of the stack and the buffer are in the order of the sentence, all given arcs between them can be built.
But two words change places only once. So after a Swap, the remaining swaps may not be enough to build all given arcs.
Then a transition is allowed if a fixed policy, which looks at the configuration only, builds them. After an allowed
transition, the next transition of that policy is allowed too, so a parser is never stuck. The constraint is stricter
than necessary where the policy fails and another derivation would succeed.
"""

from libcpp.vector cimport vector

from gardenpath.constraints.base cimport fits, is_above, is_complete
from gardenpath.constraints.slow cimport SlowConstraint
from gardenpath.core.configuration cimport (
    B, Configuration, GONE, IN_BUFFER, NONE, ON_STACK, ROOT, S, buffer_size, right_child,
)
from gardenpath.core.gold cimport Gold, fill_gold, release_gold
from gardenpath.core.moves cimport LEFT_ARC, REDUCE, RIGHT_ARC, SHIFT, STAY_LEFT, STAY_RIGHT, SWAP
from gardenpath.oracles.stay_eager cimport StayEagerOracle
from gardenpath.systems.base cimport TransitionSystem

from gardenpath import oracles


cdef class ReorderingConstraint(SlowConstraint):
    """The common part: keep the given arcs possible one by one, then be in an easy configuration or try the policy."""

    cdef bint allows(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        cdef int policy
        if not self.keeps_arcs(c, given, move):
            return False
        if self.stays_easy(c, given, move) and self.is_easy(c, given):
            return True
        self.try_move(c, move)
        if self.is_easy(&self.after, given):
            return True
        for policy in range(self.policies):
            if policy:
                self.try_move(c, move)
            if self._completes(given, policy):
                return True
        return False

    cdef bint builds(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        """Return whether a transition is valid and keeps each given arc possible."""
        return self.system.is_permitted(c, move) and self.keeps_arcs(c, given, move)

    cdef bint is_easy(self, const Configuration* c, const Gold* given) noexcept nogil:
        """Return whether all given arcs that can be built one by one can be built together."""
        return _is_in_order(c)

    cdef bint stays_easy(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        """Return whether an easy configuration is certainly easy after a transition too, without making it."""
        return False

    cdef const Gold* target(self, const Configuration* c, const Gold* given, int policy) noexcept nogil:
        """Return the arcs that a policy builds from this configuration on, at least the given ones."""
        return given

    cdef int next_move(self, const Configuration* c, const Gold* target, int policy) noexcept nogil:
        """Return the transition of a policy, NONE if there is none."""
        return NONE

    cdef bint _completes(self, const Gold* given, int policy) noexcept nogil:
        """Return whether a policy builds all arcs of its target from the scratch configuration on."""
        cdef int move, word
        cdef const Gold* target = self.target(&self.after, given, policy)
        while not self.system.is_terminal(&self.after):
            move = self.next_move(&self.after, target, policy)
            if move == NONE or not self.keeps_arcs(&self.after, given, move):
                return False
            self.system.apply_move(&self.after, move, NONE)
        for word in range(1, given.n + 1):
            if not fits(target, self.after.heads[word], word):
                return False
        return True


cdef bint _is_in_order(const Configuration* c) noexcept nogil:
    """Return whether the words of the stack and the buffer are in the order of the sentence."""
    cdef int i, last = NONE
    for i in range(c.stack_size):
        if c.stack[i] < last:
            return False
        last = c.stack[i]
    for i in range(min(c.returned_size + 1, buffer_size(c))):
        if B(c, i) < last:
            return False
        last = B(c, i)
    return True


cdef bint _has_partner(const Configuration* c, const Gold* given, int word, int place, int but) noexcept nogil:
    """Return whether a given arc that is not built connects the word with another word at that place."""
    cdef int i, child, head = given.heads[word]
    if head != NONE and head != but and c.heads[word] == NONE and c.places[head] == place:
        return True
    for i in range(given.first_child[word], given.first_child[word + 1]):
        child = given.children[i]
        if child != but and c.heads[child] == NONE and c.places[child] == place:
            return True
    return False


cdef bint _crosses(const Configuration* c, const Gold* given) noexcept nogil:
    cdef int top = S(c, 0), second = S(c, 1)
    if is_above(c, given, top, second):
        return True
    if _has_partner(c, given, second, ON_STACK, top) and not _has_partner(c, given, top, IN_BUFFER, NONE):
        return True
    return _has_partner(c, given, second, IN_BUFFER, NONE) and _has_partner(c, given, top, ON_STACK, second)


cdef class SwapConstraint(ReorderingConstraint):
    """Arc-standard with Swap.

    The policy attaches words as soon as possible, words without a given head anywhere. Words that are left are put into
    the projective order of the given arcs.
    """

    def __init__(self, TransitionSystem system):
        self.policies = 2

    cdef bint keeps_arcs(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        cdef int child
        if move == SHIFT or move == SWAP:
            return True
        child = self.system.arc_child(c, move)
        return fits(given, self.system.arc_head(c, move), child) and is_complete(c, given, child)

    cdef bint is_easy(self, const Configuration* c, const Gold* given) noexcept nogil:
        cdef int i
        for i in range(1, c.stack_size):
            if given.ranks[c.stack[i]] < given.ranks[c.stack[i - 1]]:
                return False
            if _has_partner(c, given, c.stack[i], ON_STACK, NONE):
                return False
        return _is_in_order(c)

    cdef bint stays_easy(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        if move != SHIFT:
            return move != SWAP
        if c.stack_size and given.ranks[B(c, 0)] < given.ranks[S(c, 0)]:
            return False
        return not _has_partner(c, given, B(c, 0), ON_STACK, NONE)

    cdef int next_move(self, const Configuration* c, const Gold* target, int policy) noexcept nogil:
        cdef bint can_swap = self.system.is_permitted(c, SWAP)
        if self.builds(c, target, LEFT_ARC):
            return LEFT_ARC
        if self.builds(c, target, RIGHT_ARC):
            return RIGHT_ARC
        if can_swap and (_crosses(c, target) if policy else target.ranks[S(c, 0)] < target.ranks[S(c, 1)]):
            return SWAP
        if buffer_size(c):
            return SHIFT
        return SWAP if can_swap else NONE


cdef class StayEagerConstraint(ReorderingConstraint):
    """Stay-eager swap.

    The first policy is that of the dynamic oracle, for one tree that contains all arcs that are given or built. The
    second one lets words without a given head wait for no particular head.
    """

    cdef StayEagerOracle oracle
    cdef Gold tree                     # the tree that the first policy builds
    cdef vector[int] heads             # its heads, by word

    def __init__(self, TransitionSystem system):
        self.oracle = oracles.of(system, "dynamic")
        self.policies = 2

    def __dealloc__(self):
        release_gold(&self.tree)

    cdef bint keeps_arcs(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        cdef int head = self.system.arc_head(c, move), child
        if move == REDUCE:
            return is_complete(c, given, S(c, 0))
        if head == NONE:
            return True
        child = self.system.arc_child(c, move)
        if self.system.single_root and head == ROOT and given.heads[child] != ROOT:
            if given.first_child[ROOT] < given.first_child[ROOT + 1]:
                return False
        return fits(given, head, child) and not is_above(c, given, child, head)

    cdef bint is_easy(self, const Configuration* c, const Gold* given) noexcept nogil:
        return not c.flag and buffer_size(c) > 0 and _is_in_order(c)

    cdef bint stays_easy(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        return move in (STAY_LEFT, STAY_RIGHT, REDUCE) or (move == SHIFT and buffer_size(c) > 1)

    cdef const Gold* target(self, const Configuration* c, const Gold* given, int policy) noexcept nogil:
        cdef int word, head
        if policy:
            return given
        self.heads.resize(c.n + 1)
        for word in range(1, c.n + 1):
            self.heads[word] = given.heads[word] if given.heads[word] != NONE else c.heads[word]
        head = self._find_anchor(c)
        for word in range(1, c.n + 1):
            if self.heads[word] == NONE and word != head:
                self.heads[word] = head
        if self.heads[head] == NONE and head != ROOT:
            self.heads[head] = max(right_child(c, ROOT), ROOT)
        fill_gold(&self.tree, self.heads.data() + 1, NULL, c.n)
        return &self.tree

    cdef int _find_anchor(self, const Configuration* c) noexcept nogil:
        """Return the word to which the words without a head are attached.

        The choice stays the same while the policy builds arcs of its tree. In single-root mode it is the root word or,
        if that is gone, its nearest descendant that is not; if there is none, the first word without a head.
        """
        cdef int word, top, depth, least = c.n, first = NONE, anchor = NONE
        if not self.system.single_root:
            return ROOT
        for word in range(c.n, 0, -1):
            if self.heads[word] == NONE:
                first = word
            if c.places[word] == GONE:
                continue
            top, depth = word, 0
            while top > ROOT:
                top, depth = self.heads[top], depth + 1
            if top == ROOT and depth <= least:
                anchor, least = word, depth
        return anchor if anchor != NONE else first if first != NONE else ROOT

    cdef int next_move(self, const Configuration* c, const Gold* target, int policy) noexcept nogil:
        if policy and S(c, 0) > ROOT:
            if _is_idle(c, target, B(c, 0)) and self.builds(c, target, STAY_RIGHT):
                return STAY_RIGHT
            if _is_idle(c, target, S(c, 0)) and self.builds(c, target, STAY_LEFT):
                return STAY_LEFT
        self.oracle.look(c, target)
        return self.oracle.policy_move(c, target)


cdef bint _is_idle(const Configuration* c, const Gold* given, int word) noexcept nogil:
    """Return whether no given arc of a word is left to build, and its head is not given."""
    return word != NONE and given.heads[word] == NONE and is_complete(c, given, word)
