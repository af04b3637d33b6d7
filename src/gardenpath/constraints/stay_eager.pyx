# cython: boundscheck=False, wraparound=False
"""The constraint of stay-eager swap."""

from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

from gardenpath.constraints.base cimport fits, is_above, is_complete
from gardenpath.constraints.reordering cimport ReorderingConstraint, is_nearly_in_order
from gardenpath.core.configuration cimport (
    B, Configuration, GONE, IN_BUFFER, NONE, ON_STACK, ROOT, S, buffer_size, is_free, right_child,
)
from gardenpath.core.gold cimport Gold
from gardenpath.core.hashing cimport join
from gardenpath.core.moves cimport REDUCE, SHIFT, STAY_LEFT, STAY_RIGHT, SWAP
from gardenpath.oracles.stay_eager cimport StayEagerOracle
from gardenpath.systems.base cimport TransitionSystem

from gardenpath import oracles

cdef enum Policy:
    SORT
    ORACLE
    POLICIES


cdef class StayEagerConstraint(ReorderingConstraint):
    """Stay-eager swap.

    Two words that have changed places stay so; the others can still meet. A configuration is easy if

    - there are words in the buffer, and nothing has been unshifted;
    - the last of the words that are left is in the buffer, or the words of the stack are in reverse order and all
      given arcs between them are built;
    - if x and y > x have changed places, and a given arc between them is not built, then no z with x < z < y is before
      x;
    - in multi-root mode, at most one given arc from the root is not built, or all words are in the order of the
      sentence.

    Proof: shift the words up to the last one of the sentence and swap this one with the whole stack. Then sort the
    words in reverse order by insertion. All pairs that are not reversed yet meet, and so do the third item's pairs.

    The first policy is that of the proof. The second one is that of the dynamic oracle, but it attaches a word without
    a given head as soon as no given arc of this word is left to build.

    In single-root mode, words can be attached to the root word after it has left the stack: at the very end, by
    Stay-Right from ROOT. Only the search takes this into account.
    """

    cdef StayEagerOracle oracle
    cdef vector[int] order             # scratch: the words of the stack, and those that came back to the buffer
    cdef vector[int] seats             # scratch: by word, its index in `order`, or at least the number of words there

    def __init__(self, TransitionSystem system):
        self.oracle = oracles.of(system, "dynamic")
        self.policies = POLICIES

    cdef bint keeps_arcs(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        if self._waits_for_end(c, given):
            return False
        return is_complete(c, given, S(c, 0)) if move == REDUCE else self._keeps_heads(c, given, move)

    cdef bint can_agree(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        if move == REDUCE:
            return (self.system.single_root and c.heads[S(c, 0)] == ROOT) or is_complete(c, given, S(c, 0))
        return self._keeps_heads(c, given, move)

    cdef bint _waits_for_end(self, const Configuration* c, const Gold* given) noexcept nogil:
        """Return whether the root word has left the stack before its given dependents have heads."""
        cdef int root = right_child(c, ROOT) if self.system.single_root else NONE
        return root != NONE and c.places[root] == GONE and not is_complete(c, given, root)

    cdef bint _keeps_heads(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        """Return whether the arc of a transition, if it builds one, agrees with each given head."""
        cdef int head = self.system.arc_head(c, move), child
        if head == NONE:
            return True
        child = self.system.arc_child(c, move)
        if self.system.single_root and head == ROOT and given.heads[child] != ROOT:
            if given.first_child[ROOT] < given.first_child[ROOT + 1]:
                return False
        return fits(given, head, child) and not is_above(c, given, child, head)

    cdef bint stays_easy(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        if c.flag or not (move in (STAY_LEFT, STAY_RIGHT, REDUCE) or (move == SHIFT and buffer_size(c) > 1)):
            return False
        return B(c, 0) > S(c, 0) and is_nearly_in_order(c)

    cdef bint is_easy(self, const Configuration* c, const Gold* given) noexcept nogil:
        if c.flag or buffer_size(c) == 0 or self._waits_for_end(c, given):
            return False
        if B(c, 0) > S(c, 0) and is_nearly_in_order(c):
            return True
        if not self.system.single_root and _pending_roots(c, given) > 1:
            return False
        self._line_up(c)
        return (self._is_last_in_buffer(c) or _is_sorted(c, given)) and not self._has_block(c, given)

    cdef void _line_up(self, const Configuration* c) noexcept nogil:
        """Find the order of the words of the stack and those that came back to the buffer."""
        cdef int i
        self.order.clear()
        self.seats.assign(c.n + 1, c.n + 1)
        for i in range(1, c.stack_size):
            self.order.push_back(c.stack[i])
        for i in range(c.returned_size):
            self.order.push_back(B(c, i))
        for i in range(<int>self.order.size()):
            self.seats[self.order[i]] = i

    cdef bint _is_last_in_buffer(self, const Configuration* c) noexcept nogil:
        """Return whether the last of the words that are left is in the buffer."""
        cdef int i, last = ROOT
        if c.cursor < c.queue_size:
            return True
        for i in range(<int>self.order.size()):
            last = max(last, self.order[i])
        return c.places[last] == IN_BUFFER

    cdef bint _has_block(self, const Configuration* c, const Gold* given) noexcept nogil:
        """Return whether a word between two words that have changed places may keep them from building a given arc."""
        cdef int i, k, word, head, later, earlier
        for i in range(<int>self.order.size()):
            word = self.order[i]
            head = given.heads[word]
            if c.heads[word] != NONE or head <= ROOT or (head < word) == (self.seats[head] < i):
                continue
            later, earlier = min(word, head), max(word, head)
            for k in range(self.seats[later]):
                if later < self.order[k] < earlier:
                    return True
        return False

    cdef uint64_t key(self, const Configuration* c) noexcept nogil:
        """Also hash the topmost ancestor of each word that is left, because it tells which arcs close a cycle."""
        cdef uint64_t key = join(ReorderingConstraint.key(self, c), right_child(c, ROOT))
        cdef int word, top
        for word in range(1, c.n + 1):
            if c.places[word] == GONE:
                continue
            top = word
            while top > ROOT and c.heads[top] != NONE:
                top = c.heads[top]
            key = join(key, top)
        return key

    cdef int next_move(self, const Configuration* c, const Gold* target, int policy) noexcept nogil:
        if policy == SORT:
            return self._sort(c, target)
        if S(c, 0) > ROOT:
            if _is_idle(c, target, B(c, 0)) and self.builds(c, target, STAY_RIGHT):
                return STAY_RIGHT
            if _is_idle(c, target, S(c, 0)) and self.builds(c, target, STAY_LEFT):
                return STAY_LEFT
        self.oracle.look(c, target)
        return self.oracle.policy_move(c, target)

    cdef int _sort(self, const Configuration* c, const Gold* given) noexcept nogil:
        """Return the transition of the first policy: build given arcs, sort, and attach the words that are left."""
        cdef int[16] moves
        cdef int top = S(c, 0), front = B(c, 0)
        if self.system.list_moves(c, moves) == 1:
            return moves[0]
        if top > ROOT and given.heads[top] == front and self.builds(c, given, STAY_LEFT):
            return STAY_LEFT
        if given.heads[front] == top and self.builds(c, given, STAY_RIGHT):
            return STAY_RIGHT
        if not c.flag:
            return SWAP if ROOT < top < front else SHIFT
        if not is_free(c, front):
            return SHIFT
        if self.builds(c, given, REDUCE):
            return REDUCE
        if self.builds(c, given, STAY_RIGHT):
            return STAY_RIGHT
        return STAY_LEFT if self.builds(c, given, STAY_LEFT) else NONE


cdef int _pending_roots(const Configuration* c, const Gold* given) noexcept nogil:
    """Return the number of given arcs from the root that are not built."""
    cdef int i, total = 0
    for i in range(given.first_child[ROOT], given.first_child[ROOT + 1]):
        total += is_free(c, given.children[i])
    return total


cdef bint _is_sorted(const Configuration* c, const Gold* given) noexcept nogil:
    """Return whether the words of the stack are in reverse order, and all given arcs between them are built."""
    cdef int i, word
    for i in range(1, c.stack_size):
        word = c.stack[i]
        if i > 1 and word > c.stack[i - 1]:
            return False
        if is_free(c, word) and given.heads[word] > ROOT and c.places[given.heads[word]] == ON_STACK:
            return False
    return True


cdef bint _is_idle(const Configuration* c, const Gold* given, int word) noexcept nogil:
    """Return whether no given arc of a word is left to build, and its head is not given."""
    return word != NONE and given.heads[word] == NONE and is_complete(c, given, word)
