# cython: boundscheck=False, wraparound=False
"""The constraints of systems in which words change places: arc-standard with Swap, and stay-eager swap.

Two words change places only once. So after a Swap, the remaining swaps may not be enough to build all given arcs. A
configuration is *easy* if a rule proves that they are. From other configurations, fixed policies are tried, which look
at the configuration only: a transition is allowed if a policy then builds all given arcs.

A parser is never stuck. After an allowed transition, the configuration is easy, or a policy succeeds, and then its next
transition is allowed too. In an easy configuration some transition leads to an easy configuration, or to one where the
last policy succeeds; the classes say which. The constraint is stricter than necessary where all policies fail and
another derivation would succeed.
"""

from libcpp.vector cimport vector

from gardenpath.constraints.base cimport fits, is_above, is_complete
from gardenpath.constraints.slow cimport SlowConstraint
from gardenpath.core.configuration cimport (
    B, Configuration, GONE, IN_BUFFER, NONE, ON_STACK, ROOT, S, buffer_size, is_free, right_child,
)
from gardenpath.core.gold cimport Gold, fill_gold, release_gold
from gardenpath.core.moves cimport LEFT_ARC, REDUCE, RIGHT_ARC, SHIFT, STAY_LEFT, STAY_RIGHT, SWAP
from gardenpath.oracles.stay_eager cimport StayEagerOracle
from gardenpath.systems.base cimport TransitionSystem

from gardenpath import oracles


cdef class ReorderingConstraint(SlowConstraint):
    """The common part: keep the given arcs possible one by one, then be easy or try the policies."""

    def __dealloc__(self):
        release_gold(&self.tree)

    cdef bint allows(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        cdef int policy
        if not self.keeps_arcs(c, given, move):
            return False
        if self.stays_easy(c, given, move):
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

    cdef bint stays_easy(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        """Return whether the configuration is certainly easy after a transition, without making it."""
        return False

    cdef bint is_easy(self, const Configuration* c, const Gold* given) noexcept nogil:
        """Return whether all given arcs that can be built one by one can be built together."""
        return False

    cdef const Gold* target(self, const Configuration* c, const Gold* given, int policy) noexcept nogil:
        """Return the arcs that a policy builds from this configuration on, at least the given ones."""
        return given

    cdef int next_move(self, const Configuration* c, const Gold* target, int policy) noexcept nogil:
        """Return the transition of a policy, NONE if there is none."""
        return NONE

    cdef void copy_heads(self, const Configuration* c, const Gold* given) noexcept nogil:
        """Set the heads of the scratch tree to those that are given or built."""
        cdef int word
        self.heads.resize(c.n + 1)
        for word in range(1, c.n + 1):
            self.heads[word] = given.heads[word] if given.heads[word] != NONE else c.heads[word]

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


cdef bint _is_nearly_in_order(const Configuration* c) noexcept nogil:
    """Return whether the stack, and the words below its top followed by the buffer, are in sentence order."""
    cdef int i, last
    for i in range(1, c.stack_size):
        if c.stack[i] < c.stack[i - 1]:
            return False
    last = S(c, 1)
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

    A configuration is easy if all words but the top t of the stack are in the order of the sentence, and t is the last
    of the words on the stack. Proof: swaps bring t to the bottom of the stack and the other words back to the buffer.
    Every tree has a projective order in which t is the first word. The other words can be brought into it, as none of
    them has been swapped with another.

    The first two policies attach words as soon as possible, words without a given head anywhere. The first one puts the
    words that are left into the projective order of the given arcs. The last policy is that of the proof, with the word
    at the bottom of the stack as t. Its tree attaches all words without a given head to one word.
    """

    cdef vector[long long] keys        # by word: its place in the projective order that begins with t

    def __init__(self, TransitionSystem system):
        self.policies = 3

    cdef bint keeps_arcs(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        cdef int child
        if move == SHIFT or move == SWAP:
            return True
        child = self.system.arc_child(c, move)
        return fits(given, self.system.arc_head(c, move), child) and is_complete(c, given, child)

    cdef bint stays_easy(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        return (move != SHIFT or B(c, 0) > S(c, 0)) and _is_nearly_in_order(c)

    cdef bint is_easy(self, const Configuration* c, const Gold* given) noexcept nogil:
        return _is_nearly_in_order(c)

    cdef const Gold* target(self, const Configuration* c, const Gold* given, int policy) noexcept nogil:
        cdef int word, anchor, first = c.stack[min(1, c.stack_size - 1)]
        if policy < 2:
            return given
        self.copy_heads(c, given)
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
        cdef bint can_swap = self.system.is_permitted(c, SWAP), is_wrong = False
        if self.builds(c, target, LEFT_ARC):
            return LEFT_ARC
        if self.builds(c, target, RIGHT_ARC):
            return RIGHT_ARC
        if can_swap and policy == 0:
            is_wrong = target.ranks[S(c, 0)] < target.ranks[S(c, 1)]
        elif can_swap and policy == 1:
            is_wrong = _crosses(c, target)
        elif can_swap:
            is_wrong = self.keys[S(c, 0)] < self.keys[S(c, 1)]
        if is_wrong:
            return SWAP
        if buffer_size(c):
            return SHIFT
        return SWAP if can_swap and policy < 2 else NONE


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

    The first policy is that of the proof. The second one is that of the dynamic oracle, for one tree that contains all
    arcs that are given or built. The third one lets words without a given head wait for no particular head.
    """

    cdef StayEagerOracle oracle
    cdef vector[int] order             # scratch: the words of the stack, and those that came back to the buffer
    cdef vector[int] seats             # scratch: by word, its index in `order`, or at least the number of words there

    def __init__(self, TransitionSystem system):
        self.oracle = oracles.of(system, "dynamic")
        self.policies = 3

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

    cdef bint stays_easy(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        if c.flag or not (move in (STAY_LEFT, STAY_RIGHT, REDUCE) or (move == SHIFT and buffer_size(c) > 1)):
            return False
        return B(c, 0) > S(c, 0) and _is_nearly_in_order(c)

    cdef bint is_easy(self, const Configuration* c, const Gold* given) noexcept nogil:
        if c.flag or buffer_size(c) == 0:
            return False
        if B(c, 0) > S(c, 0) and _is_nearly_in_order(c):
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

    cdef const Gold* target(self, const Configuration* c, const Gold* given, int policy) noexcept nogil:
        cdef int word, head
        if policy != 1:
            return given
        self.copy_heads(c, given)
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
        if policy == 0:
            return self._sort(c, target)
        if policy == 2 and S(c, 0) > ROOT:
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
