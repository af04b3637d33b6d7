# cython: boundscheck=False, wraparound=False
"""The oracles of Covington's parser: an exact one for the monotonic system, bounds for the non-monotonic one.

`oracles/search` finds the exact loss between these bounds. A gold arc is lost when its pair is in the past, or when
something permanent prevents it. Otherwise, unless it is built already, it is wanted. Each wanted arc can be built, but
not always all of them together: where they close a cycle with the present arcs, one must be given up. The arc from the
root to a word counts as built while that word has no head.
"""

from libc.limits cimport INT_MAX
from libc.stdint cimport int8_t
from libc.string cimport memcpy

from gardenpath.core.configuration cimport Configuration, NONE, ROOT
from gardenpath.core.gold cimport Gold
from gardenpath.core.moves cimport LEFT_ARC, NO_ARC, RIGHT_ARC, SHIFT, has
from gardenpath.oracles.base cimport SHIFT_FIRST, UNKNOWN, Oracle
from gardenpath.oracles.cycles cimport ALL_CYCLES, NO_CYCLES, PROBLEMATIC
from gardenpath.systems.base cimport Configuration as PythonConfiguration, TransitionSystem
from gardenpath.systems.covington cimport left_focus, replace_head, right_focus

from gardenpath.errors import UsageError

BOUNDS = ("lower", "pc-upper", "upper", "lower-strict")
DEFAULT_BOUND = "pc-upper"
MOST_LOOKAHEAD = 8


cdef PairState state_of(const Configuration* c) noexcept nogil:
    cdef PairState state
    state.i = left_focus(c)
    state.j = right_focus(c)
    state.heads = c.heads
    return state


cdef inline bint _is_late(int i, int j, int word, int other) noexcept nogil:
    """Return whether the pair of the two words is in the past."""
    return j > max(word, other) or (j == max(word, other) and i < min(word, other))


cdef class CovingtonOracle(Oracle):
    """The oracle of the monotonic system, exact and linear (Gómez-Rodríguez and Fernández-González, ACL 2015).

    Every word has one head or wants one. The loss is the number of lost arcs plus the number of cycles, in each of
    which one arc must be given up. Not thread-safe: it has scratch space of its own.
    """

    def _tree(self, PythonConfiguration c, gold):
        return self._sound_tree(c, gold, False)

    cdef bint is_lost(self, int head, int i, int j, const Gold* gold, int word) noexcept nogil:
        """Return whether the gold arc of a word with that head is unreachable when i and j are the pair.

        Heads are permanent.
        """
        if head == gold.heads[word] or (head == NONE and gold.heads[word] == ROOT):
            return False
        return head != NONE or _is_late(i, j, gold.heads[word], word)

    cdef int count_lost(self, const PairState* state, const Gold* gold) noexcept nogil:
        cdef int word, lost = 0
        for word in range(1, gold.n + 1):
            lost += self.is_lost(state.heads[word], state.i, state.j, gold, word)
        return lost

    cdef int count_cycles(self, const PairState* state, const Gold* gold) noexcept nogil:
        """Return the number of cycles of present and wanted arcs, by a walk up from each word."""
        cdef int start, word, cycles = 0
        self.walks.assign(gold.n + 1, 0)
        for start in range(1, gold.n + 1):
            word = start
            while word > ROOT and not self.walks[word]:
                self.walks[word] = start
                if state.heads[word] != NONE:
                    word = state.heads[word]
                else:
                    word = NONE if self.is_lost(NONE, state.i, state.j, gold, word) else gold.heads[word]
            cycles += word > ROOT and self.walks[word] == start
        return cycles

    cdef int lost_by(self, const PairState* before, const PairState* after, const Gold* gold, int move) noexcept nogil:
        """Return how many more arcs are lost after a transition.

        It concerns the pair or, for Shift, all pairs of j that are left.
        """
        cdef int place, child, i = before.i, j = before.j, lost = 0
        if i and move != SHIFT:
            lost = self.is_lost(after.heads[i], after.i, after.j, gold, i)
            lost -= self.is_lost(before.heads[i], i, j, gold, i)
        lost += self.is_lost(after.heads[j], after.i, after.j, gold, j) - self.is_lost(before.heads[j], i, j, gold, j)
        if move == SHIFT:
            for place in range(gold.first_child[j], gold.first_child[j + 1]):
                child = gold.children[place]
                if child > i:
                    break
                lost += self.is_lost(after.heads[child], after.i, after.j, gold, child)
                lost -= self.is_lost(before.heads[child], i, j, gold, child)
        return lost

    cdef PairState after(self, const PairState* before, int n, int move, int* heads) noexcept nogil:
        """Return the state after a transition, with heads in the array `heads` if the transition changes any.

        As everywhere in this module, words that are attached to the root have no head.
        """
        cdef PairState after = before[0]
        cdef int child = before.i if move == LEFT_ARC else before.j
        cdef int head = before.j if move == LEFT_ARC else before.i
        if move == SHIFT:
            after.i, after.j = before.j, before.j + 1
            return after
        after.i -= 1
        if move != NO_ARC:
            memcpy(heads, before.heads, (n + 1) * sizeof(int))
            replace_head(heads, head, child)
            after.heads = heads
        return after

    cdef PairState try_move(self, const PairState* before, int n, int move) noexcept nogil:
        """Return the state after a transition, valid until the next call."""
        self.scratch.resize(max(self.scratch.size(), <size_t>n + 1))
        return self.after(before, n, move, self.scratch.data())

    cdef int loss_of(self, const Configuration* c, const Gold* gold) noexcept nogil:
        cdef PairState state = state_of(c)
        return self.count_lost(&state, gold) + self.count_cycles(&state, gold)

    cdef int cost_of(self, const Configuration* c, const Gold* gold, int move) noexcept nogil:
        cdef PairState state = state_of(c)
        self.cycles_before = self.count_cycles(&state, gold)
        return self.rank_of(c, gold, move, INT_MAX) - self.cycles_before

    cdef int rank_of(self, const Configuration* c, const Gold* gold, int move, int limit) noexcept nogil:
        """Return the cost plus the number of cycles before the transition, which is the same for all transitions."""
        cdef PairState before = state_of(c), after = self.try_move(&before, gold.n, move)
        cdef int lost = self.lost_by(&before, &after, gold, move)
        if lost > limit:
            return lost
        if lost or after.heads != before.heads:
            return lost + self.count_cycles(&after, gold)
        # No arc is built and none is lost: the cycles stay the same.
        if self.cycles_before == UNKNOWN:
            self.cycles_before = self.count_cycles(&before, gold)
        return self.cycles_before

    cdef int accept(
        self, const Configuration* c, const Gold* gold, const int* moves, int count, int8_t* accepted, int loss
    ) noexcept nogil:
        self.cycles_before = UNKNOWN
        return Oracle.accept(self, c, gold, moves, count, accepted, loss)

    cdef unsigned preferred(self, const Configuration* c, const Gold* gold, unsigned optimal) noexcept nogil:
        """With `shift-first`, prefer Shift to No-Arc if both are optimal and j has its gold head."""
        cdef int j = right_focus(c)
        if self.preference == SHIFT_FIRST and has(optimal, SHIFT) and c.heads[j] == gold.heads[j]:
            return optimal & ~(<unsigned>1 << NO_ARC)
        return optimal

    cdef int static_move(self, const Configuration* c, const Gold* gold) noexcept nogil:
        """Follow Covington's order, with Shift as soon as no word further left has a gold arc to or from j."""
        cdef int i = left_focus(c), j = right_focus(c), first = gold.first_child[j]
        if i and gold.heads[i] == j:
            return LEFT_ARC
        if i and gold.heads[j] == i:
            return RIGHT_ARC
        if 0 < gold.heads[j] < i or (first < gold.first_child[j + 1] and gold.children[first] < i):
            return NO_ARC
        return SHIFT


cdef class BoundOracle(CovingtonOracle):
    """Oracles of the non-monotonic system by bounds of the loss (Fernández-González and Gómez-Rodríguez, ACL 2017).

    Heads can be replaced, so a word can have one head and want another, and cycles can overlap. `lower` counts the lost
    arcs; `upper` adds all elementary cycles, `pc-upper` only those whose closing removes a gold arc. In these a root
    word that has a head counts as lost at once. `lower-strict`, which never exceeds the loss, counts it only when
    nothing can detach it again. Training accepts the transitions after which the bound is least. `lookahead` takes the
    least `pc-upper` that can be reached by that number of further transitions.
    """

    kinds = ("static", "nondet", "dynamic", *BOUNDS)
    exploring_kinds = ("dynamic", *BOUNDS)
    bound_kinds = BOUNDS
    options = {"lookahead": 0}
    option_limits = {"lookahead": (0, MOST_LOOKAHEAD)}
    option_kinds = {"lookahead": ("pc-upper",)}

    def __cinit__(self, TransitionSystem system, str kind="dynamic", str prefer="repair-last", int lookahead=0):
        bound = kind if kind in BOUNDS else DEFAULT_BOUND
        if lookahead and kind != "pc-upper":
            raise UsageError(f"only pc-upper can look ahead, not {kind}")
        if not 0 <= lookahead <= MOST_LOOKAHEAD:
            raise UsageError(f"lookahead is a number of transitions from 0 to {MOST_LOOKAHEAD}, not {lookahead}")
        self.counted = {"upper": ALL_CYCLES, "pc-upper": PROBLEMATIC}.get(bound, NO_CYCLES)
        self.is_strict = bound == "lower-strict"
        self.lookahead = lookahead
        self.levels.resize(lookahead + 1)
        self.cycles = CycleCounter()

    cdef bint is_lost(self, int head, int i, int j, const Gold* gold, int word) noexcept nogil:
        """Return whether the gold arc of a word is unreachable.

        Heads can be replaced, but a root word that has one counts as lost: in `lower-strict` only when it will never be
        in the pair again.
        """
        if head == gold.heads[word] or (head == NONE and gold.heads[word] == ROOT):
            return False
        if gold.heads[word] != ROOT:
            return _is_late(i, j, gold.heads[word], word)
        return not self.is_strict or j > gold.n or (j == gold.n and (i < word < j or (word == j and i == 0)))

    cdef int lost_by(self, const PairState* before, const PairState* after, const Gold* gold, int move) noexcept nogil:
        if self.is_strict:
            return self.count_lost(after, gold) - self.count_lost(before, gold)
        return CovingtonOracle.lost_by(self, before, after, gold, move)

    cdef int count_cycles(self, const PairState* state, const Gold* gold) noexcept nogil:
        cdef int word, head
        cdef bint wanted, any_wrong = False
        if self.counted == NO_CYCLES:
            return 0
        for word in range(1, gold.n + 1):
            any_wrong = any_wrong or (state.heads[word] > ROOT and state.heads[word] != gold.heads[word])
        if not any_wrong:
            return 0
        self.cycles.prepare(gold.n)
        for word in range(1, gold.n + 1):
            head = state.heads[word] if state.heads[word] > ROOT else NONE
            wanted = gold.heads[word] > ROOT and gold.heads[word] != head
            wanted = wanted and not _is_late(state.i, state.j, gold.heads[word], word)
            self.cycles.set_edges(word, head, gold.heads[word] if wanted else NONE, head == gold.heads[word])
        return self.cycles.total(self.counted)

    cdef int look_ahead(self, const PairState* state, const Gold* gold, int steps) noexcept nogil:
        """Return the least bound that can be reached by this number of transitions."""
        cdef int k, move, least = INT_MAX
        cdef PairState after
        if steps == 0 or state.j > gold.n:
            return self.count_lost(state, gold) + self.count_cycles(state, gold)
        self.levels[steps].resize(max(self.levels[steps].size(), <size_t>gold.n + 1))
        for k in range(self.system.available_count):
            move = self.system.available[k]
            if move == SHIFT or state.i:
                after = self.after(state, gold.n, move, self.levels[steps].data())
                least = min(least, self.look_ahead(&after, gold, steps - 1))
        return least

    cdef int loss_of(self, const Configuration* c, const Gold* gold) noexcept nogil:
        cdef PairState state = state_of(c)
        return self.look_ahead(&state, gold, self.lookahead)

    cdef int cost_of(self, const Configuration* c, const Gold* gold, int move) noexcept nogil:
        if not self.lookahead:
            return CovingtonOracle.cost_of(self, c, gold, move)
        return self.rank_of(c, gold, move, INT_MAX) - self.loss_of(c, gold)

    cdef int rank_of(self, const Configuration* c, const Gold* gold, int move, int limit) noexcept nogil:
        cdef PairState before, after
        if not self.lookahead:
            return CovingtonOracle.rank_of(self, c, gold, move, limit)
        before = state_of(c)
        after = self.try_move(&before, gold.n, move)
        return self.look_ahead(&after, gold, self.lookahead)
