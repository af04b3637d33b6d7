# cython: boundscheck=False, wraparound=False
"""The exact loss of the non-monotonic Covington parser, by a search between its bounds, for tests and study.

No formula for this loss is known.
"""

from libcpp.string cimport string
from libcpp.unordered_set cimport unordered_set
from libcpp.vector cimport vector

from gardenpath.core.configuration cimport NONE, ROOT, is_ancestor
from gardenpath.core.gold cimport Gold
from gardenpath.core.moves cimport LEFT_ARC, NO_ARC, RIGHT_ARC, SHIFT
from gardenpath.oracles.base cimport GOLD_FIRST, GoldTree, Oracle
from gardenpath.oracles.covington cimport BoundOracle, PairState, state_of
from gardenpath.systems.base cimport Configuration, TransitionSystem
from gardenpath.systems.covington cimport replace_head

from gardenpath.errors import UsageError
from gardenpath.trees import is_tree

BUDGET = 200_000

# A configuration on the path of the search, with the heads that the transition to it changed.
cdef struct Frame:
    int i
    int j
    int next_choice
    int child          # the dependent of the arc that was built; NONE if none was built
    int child_head     # the head that the dependent had before
    int head
    int head_head      # the head that the new head had before

cdef enum:
    CHOICES = 3        # for a pair; Shift equals No-Arcs up to the end of the list, so it is only tried there


cdef class SearchOracle(Oracle):
    """Exact losses by branch and bound.

    For each number from `lower-strict` to `pc-upper`, the search tests whether the loss is at most that number. It
    succeeds at a configuration whose upper bound is small enough. It gives up configurations whose lower bound is too
    large, and those it has given up before. It opens at most `budget` configurations.
    """

    kinds = ("exact",)
    fixed_kinds = exploring_kinds = ()

    cdef BoundOracle least
    cdef BoundOracle most
    cdef readonly long budget
    cdef readonly long opened              # the number of configurations that the last search opened
    cdef unordered_set[string] hopeless
    cdef vector[Frame] path
    cdef vector[int] heads

    def __cinit__(self, TransitionSystem system, str kind="exact", str prefer="repair-last", long budget=BUDGET):
        self.least = BoundOracle(system, "lower-strict")
        self.most = BoundOracle(system, "pc-upper")
        self.budget = budget

    def loss(self, Configuration c, gold):
        """Return the least number of words with a wrong head in any tree that can still be reached."""
        least, most = self.between(c, gold)
        if least < most:
            raise UsageError(
                f"the loss is between {least} and {most}; a search over {self.budget} configurations did not find it. "
                f"Use `between`, or a bound such as pc-upper"
            )
        return least

    def between(self, Configuration c, gold):
        """Return a lower and an upper bound of the loss. They are equal unless the budget was too small."""
        cdef GoldTree tree = self._tree(c, gold)
        cdef PairState state = state_of(&c.c)
        cdef int least = self._at_least(&state, &tree.gold), most = self._at_most(&state, &tree.gold)
        cdef int answer
        self.opened = 0
        while least < most:
            answer = self._can_reach(&state, &tree.gold, least)
            if answer == NONE:
                break
            if answer:
                most = least
            else:
                least += 1
        return least, most

    def costs(self, Configuration c, gold):
        """Return the cost of each valid transition: the loss after it minus the loss before it."""
        before = self.loss(c, gold)
        result = {}
        for name in self.system.valid(c):
            after = c.copy()
            self.system.apply(after, name)
            result[name] = self.loss(after, gold) - before
        return result

    def training_costs(self, Configuration c, gold):
        """Return the costs that training compares: the same."""
        return self.costs(c, gold)

    def training(self, Configuration c, gold):
        """Return the transitions that start a continuation of least loss.

        With `gold-first`, only those that build a gold arc are returned, if there are such. Other preferences have no
        effect.
        """
        cdef GoldTree tree = self._tree(c, gold)
        best = self.optimal(c, gold)
        moves = self.system.named(c)
        if self.preference == GOLD_FIRST:
            return [name for name in best if self._builds_gold_arc(&c.c, &tree.gold, moves[name])] or best
        return best

    def derives(self, heads):
        """Return whether the system can build exactly this: it can build every tree."""
        GoldTree(heads)
        return is_tree(heads, single_root=False)

    def _tree(self, Configuration c, gold):
        return self._sound_tree(c, gold, False)

    cdef int _can_reach(self, const PairState* state, const Gold* gold, int limit) except -2:
        """Return whether a continuation loses at most `limit`; NONE if the budget is used up."""
        cdef PairState now
        cdef Frame* frame
        cdef string key
        cdef int move
        self.hopeless.clear()
        self.path.clear()
        self.heads.assign(state.heads, state.heads + gold.n + 1)
        now.heads = self.heads.data()
        self._push(state.i, state.j, NONE, NONE)
        while not self.path.empty():
            frame = &self.path.back()
            now.i, now.j = frame.i, frame.j
            if frame.next_choice == 0:
                if self.opened >= self.budget:
                    return NONE
                self.opened += 1
                key = self._key(&now, gold.n)
                if self.hopeless.count(key) or self._at_least(&now, gold) > limit:
                    self._pop()
                    continue
                if self._at_most(&now, gold) <= limit:
                    return True
            move = self._choice(frame, gold)
            if move == NONE:
                self.hopeless.insert(self._key(&now, gold.n))
                self._pop()
            elif move == SHIFT:
                self._push(frame.j, frame.j + 1, NONE, NONE)
            elif move == NO_ARC:
                self._push(frame.i - 1, frame.j, NONE, NONE)
            elif move == LEFT_ARC:
                self._push(frame.i - 1, frame.j, frame.j, frame.i)
            else:
                self._push(frame.i - 1, frame.j, frame.i, frame.j)
        return False

    cdef int _at_least(self, const PairState* state, const Gold* gold) noexcept:
        """Return `lower-strict`, or one more if a root word has a head and cannot be detached without loss."""
        cdef int word
        cdef bint is_stuck = False
        for word in range(1, state.j):
            if gold.heads[word] != ROOT or state.heads[word] <= ROOT or state.j > gold.n:
                continue
            if not (state.j == gold.n and state.i < word):
                is_stuck = is_stuck or self._is_stuck(state, gold, word)
        return self.least.count_lost(state, gold) + is_stuck

    cdef bint _is_stuck(self, const PairState* state, const Gold* gold, int root) noexcept:
        """Return whether detaching a root word costs an arc.

        It loses its head only as the head of a right-arc to an ancestor k. So k must first take a word z in between, by
        which it becomes an ancestor of the root word, and neither may lose another arc by that.
        """
        cdef int k, z
        for k in range(state.j, gold.n + 1):
            if k == state.j and state.i < root:
                continue
            if root < gold.heads[k] < k and not self._is_lost(state, gold, k):
                continue
            if k == state.j and is_ancestor(state.heads, k, root):
                return False
            for z in range(root + 1, k):
                if k == state.j and (z > state.i or not is_ancestor(state.heads, z, root)):
                    continue
                if gold.heads[z] >= k or gold.heads[z] == ROOT or self._is_lost(state, gold, z):
                    return False
        return True

    cdef bint _is_lost(self, const PairState* state, const Gold* gold, int word) noexcept:
        return self.most.is_lost(state.heads[word], state.i, state.j, gold, word)

    cdef int _at_most(self, const PairState* state, const Gold* gold) noexcept:
        """Return `pc-upper`, or one less if the only root word with a head can be detached without loss."""
        cdef int word, root = NONE, taken = 0
        for word in range(1, gold.n + 1):
            if gold.heads[word] == ROOT and state.heads[word] > ROOT:
                root = word
                taken += 1
        cdef int bound = self.most.count_lost(state, gold) + self.most.count_cycles(state, gold)
        return bound - (taken == 1 and self._can_free(state, gold, root))

    cdef bint _can_free(self, const PairState* state, const Gold* gold, int root) noexcept:
        """Return whether there are words k and m, further right and with all pairs ahead, that can detach a root word.

        m must be the gold head of k and able to get the root word as its head. Then k becomes the head of the root
        word, m the head of k, and the root word, as the head of m, closes a cycle and loses its own head. Until then k
        has no head, so that no other cycle arises.
        """
        cdef int k, m
        for k in range(max(root + 1, state.j), gold.n + 1):
            m = gold.heads[k]
            if m <= k or (k == state.j and (state.i < root or state.heads[k] != NONE)):
                continue
            if ROOT < gold.heads[m] <= root or gold.heads[m] > m:
                return True
        return False

    cdef int _choice(self, Frame* frame, const Gold* gold) noexcept:
        """Return the next transition to try, the most promising first; NONE if all have been tried."""
        cdef int choice = frame.next_choice
        cdef bint to_left = gold.heads[frame.i] == frame.j
        frame.next_choice += 1
        if frame.j > gold.n or choice >= CHOICES or (frame.i == 0 and choice):
            return NONE
        if frame.i == 0:
            return SHIFT
        if to_left or gold.heads[frame.j] == frame.i:
            if choice == 1:
                return NO_ARC
            return LEFT_ARC if to_left == (choice == 0) else RIGHT_ARC
        return NO_ARC if choice == 0 else LEFT_ARC if choice == 1 else RIGHT_ARC

    cdef int _push(self, int i, int j, int head, int child) except -1:
        """Go on to a configuration, with an arc if there is one."""
        cdef Frame frame
        frame.i, frame.j, frame.next_choice, frame.child, frame.head = i, j, 0, child, head
        if child != NONE:
            frame.child_head, frame.head_head = self.heads[child], self.heads[head]
            replace_head(self.heads.data(), head, child)
        self.path.push_back(frame)
        return 0

    cdef void _pop(self) noexcept:
        """Go back, and undo the arc."""
        cdef Frame frame = self.path.back()
        self.path.pop_back()
        if frame.child != NONE:
            self.heads[frame.child] = frame.child_head
            self.heads[frame.head] = frame.head_head

    cdef string _key(self, const PairState* state, int n):
        cdef string key
        key.append(<const char*>&state.i, sizeof(int))
        key.append(<const char*>&state.j, sizeof(int))
        key.append(<const char*>state.heads, (n + 1) * sizeof(int))
        return key
