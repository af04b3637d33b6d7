# cython: boundscheck=False, wraparound=False
"""The exact loss of the non-monotonic Covington parser, for which no formula is known: a search between its bounds, for tests and study."""

from libcpp.string cimport string
from libcpp.unordered_set cimport unordered_set
from libcpp.vector cimport vector

from gardenpath.core.configuration cimport NONE, ROOT, is_ancestor
from gardenpath.core.gold cimport Gold
from gardenpath.core.moves cimport LEFT_ARC, NO_ARC, RIGHT_ARC, SHIFT
from gardenpath.oracles.base cimport GOLD_FIRST, GoldTree, Oracle
from gardenpath.oracles.covington cimport BoundOracle, State, state_of
from gardenpath.systems.base cimport Configuration, TransitionSystem
from gardenpath.systems.covington cimport replace_head

from gardenpath.errors import UsageError
from gardenpath.trees import is_tree

BUDGET = 200_000

# A configuration on the path of the search, with what the move to it changed in the heads.
cdef struct Frame:
    int i
    int j
    int next_choice
    int child          # of the arc that was built; NONE if none was
    int child_head     # the head that the child had before
    int head
    int head_head      # ... and the head

cdef enum:
    CHOICES = 3        # at a pair; Shift stands for No-Arcs to the end of the list, so that it is tried there only


cdef class SearchOracle(Oracle):
    """Exact losses by branch and bound.

    Is the loss `lower-strict`? If not, is it one more? And so on up to `pc-upper`. A configuration whose upper bound meets the question answers it, one whose
    lower bound exceeds it is given up, and so is one that was given up before. The search opens `budget` configurations at most.
    """

    kinds = ("exact",)
    fixed_kinds = exploring_kinds = ()

    cdef BoundOracle least
    cdef BoundOracle most
    cdef readonly long budget
    cdef readonly long opened              # by the last search
    cdef unordered_set[string] hopeless
    cdef vector[Frame] path
    cdef vector[int] heads

    def __cinit__(self, TransitionSystem system, str kind="exact", str prefer="repair-last", long budget=BUDGET):
        self.least = BoundOracle(system, "lower-strict")
        self.most = BoundOracle(system, "pc-upper")
        self.budget = budget

    def loss(self, Configuration c, gold):
        """The least number of words with a wrong head in any tree that can still be reached."""
        least, most = self.between(c, gold)
        if least < most:
            raise UsageError(
                f"the loss is {least} to {most}, and {self.budget} configurations did not settle it; ask `between`, or a bound such as pc-upper"
            )
        return least

    def between(self, Configuration c, gold):
        """The loss twice or, if the budget did not suffice to settle it, what it is at least and at most."""
        cdef GoldTree tree = self._tree(c, gold)
        cdef State state = state_of(&c.c)
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
        """The cost of each permitted move: loss after minus loss before."""
        before = self.loss(c, gold)
        result = {}
        for name in self.system.valid(c):
            after = c.copy()
            self.system.apply(after, name)
            result[name] = self.loss(after, gold) - before
        return result

    def training_costs(self, Configuration c, gold):
        """The same: there is no other cost to train with."""
        return self.costs(c, gold)

    def training(self, Configuration c, gold):
        """The moves that begin a continuation of least loss; `gold-first` leaves the gold arcs of these, if there are any, other preferences change nothing."""
        cdef GoldTree tree = self._tree(c, gold)
        best = self.optimal(c, gold)
        moves = self.system.named(c)
        if self.preference == GOLD_FIRST:
            return [name for name in best if self._builds_gold_arc(&c.c, &tree.gold, moves[name])] or best
        return best

    def derives(self, heads):
        """Can the system build exactly this? Any tree it can."""
        GoldTree(heads)
        return is_tree(heads, single_root=False)

    def _tree(self, Configuration c, gold):
        return self._sound_tree(c, gold, False)

    cdef int _can_reach(self, const State* state, const Gold* gold, int limit) except -2:
        """Does a continuation lose so much at most? NONE if the budget is spent."""
        cdef State now
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

    cdef int _at_least(self, const State* state, const Gold* gold) noexcept:
        """`lower-strict`, or one more if a root word has a head and cannot be set free for nothing."""
        cdef int word
        cdef bint is_stuck = False
        for word in range(1, state.j):
            if gold.heads[word] == ROOT and state.heads[word] > ROOT and state.j <= gold.n and not (state.j == gold.n and state.i < word):
                is_stuck = is_stuck or self._is_stuck(state, gold, word)
        return self.least.count_lost(state, gold) + is_stuck

    cdef bint _is_stuck(self, const State* state, const Gold* gold, int root) noexcept:
        """Would it cost an arc to set a root word free?

        It loses its head only as that of a right-arc to a word k above it. So k must take a word z in between, with which it comes to stand above the root
        word, and both must have no other arc to lose by it.
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

    cdef bint _is_lost(self, const State* state, const Gold* gold, int word) noexcept:
        return self.most.is_lost(state.heads[word], state.i, state.j, gold, word)

    cdef int _at_most(self, const State* state, const Gold* gold) noexcept:
        """`pc-upper`, or one less if the one root word that has a head can be set free for nothing."""
        cdef int word, root = NONE, taken = 0
        for word in range(1, gold.n + 1):
            if gold.heads[word] == ROOT and state.heads[word] > ROOT:
                root = word
                taken += 1
        return self.most.count_lost(state, gold) + self.most.count_cycles(state, gold) - (taken == 1 and self._can_free(state, gold, root))

    cdef bint _can_free(self, const State* state, const Gold* gold, int root) noexcept:
        """Are there words k and m, further right and with all pairs ahead, such that m is the gold head of k and can take the root word for its head?

        Then k takes the root word, m takes k, and the root word, as the head of m, closes a cycle and loses its own head. Until then k hangs from nothing, so
        that no other cycle comes of it.
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
        """The next move to try, the most promising first; NONE if all have been tried."""
        cdef int choice = frame.next_choice
        cdef bint to_left = gold.heads[frame.i] == frame.j
        frame.next_choice += 1
        if frame.j > gold.n or choice >= CHOICES or (frame.i == 0 and choice):
            return NONE
        if frame.i == 0:
            return SHIFT
        if to_left or gold.heads[frame.j] == frame.i:
            return (LEFT_ARC if to_left else RIGHT_ARC) if choice == 0 else NO_ARC if choice == 1 else (RIGHT_ARC if to_left else LEFT_ARC)
        return NO_ARC if choice == 0 else LEFT_ARC if choice == 1 else RIGHT_ARC

    cdef int _push(self, int i, int j, int head, int child) except -1:
        """Go on to a configuration, by an arc if there is one."""
        cdef Frame frame
        frame.i, frame.j, frame.next_choice, frame.child, frame.head = i, j, 0, child, head
        if child != NONE:
            frame.child_head, frame.head_head = self.heads[child], self.heads[head]
            replace_head(self.heads.data(), head, child)
        self.path.push_back(frame)
        return 0

    cdef void _pop(self) noexcept:
        """Go back, undoing the arc."""
        cdef Frame frame = self.path.back()
        self.path.pop_back()
        if frame.child != NONE:
            self.heads[frame.child] = frame.child_head
            self.heads[frame.head] = frame.head_head

    cdef string _key(self, const State* state, int n):
        cdef string key
        key.append(<const char*>&state.i, sizeof(int))
        key.append(<const char*>&state.j, sizeof(int))
        key.append(<const char*>state.heads, (n + 1) * sizeof(int))
        return key
