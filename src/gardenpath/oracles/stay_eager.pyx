# cython: boundscheck=False, wraparound=False
"""The oracles of stay-eager swap: static, partially non-static, and a dynamic one by a bound of the loss and a policy.

A gold arc is pending while it is not built. It is lost when its dependent has another head or its head is gone;
otherwise it is wanted. Each wanted arc can be built, but where wanted arcs close a cycle with present arcs, one of them
must be given up. A *partner* of a word is the word at the other end of such an arc.
"""

from libc.stdint cimport int8_t, uint64_t

from gardenpath.core.configuration cimport B, Configuration, GONE, IN_BUFFER, NONE, ON_STACK, ROOT, S, is_free
from gardenpath.core.gold cimport Gold, has_all_children
from gardenpath.core.hashing cimport draw, mix
from gardenpath.core.moves cimport REDUCE, RIGHT_ROOT, SHIFT, STAY_LEFT, STAY_RIGHT, SWAP
from gardenpath.oracles.base cimport ANY, GOLD_FIRST, GoldTree, Oracle
from gardenpath.oracles.table cimport wrong_heads
from gardenpath.systems.base cimport Configuration as PythonConfiguration, TransitionSystem, require_progress

from gardenpath.core.moves import NAMES

POSTPONE = 0.33        # the probability in the paper that the oracle postpones a transition


cdef class StayEagerOracle(Oracle):
    """`static` and `non-static` as in the paper, with conditions that make them sound; `nondet`; and a new `dynamic`.

    With probability `postpone`, the non-static oracle postpones a Reduce, or the arc from the root, by a Shift;
    `nondet` accepts both. `loss` and `costs` come from a bound that never exceeds the loss, and equals it while no
    words have changed places or returned and the buffer is not empty. In single-root mode the bound ignores that the
    root word can get dependents when nothing else is possible. Not thread-safe: the oracle has scratch space and a
    random state of its own.
    """

    kinds = ("static", "non-static", "nondet", "dynamic")
    fixed_kinds = ("static", "non-static")
    options = {"postpone": POSTPONE}
    option_limits = {"postpone": (0, 1)}
    option_kinds = {"postpone": ("non-static",)}

    def __cinit__(
        self, TransitionSystem system, str kind="dynamic", str prefer="repair-last", double postpone=POSTPONE
    ):
        self.postpone = postpone
        self.is_dynamic = kind == "dynamic"
        self.draws = kind == "non-static"

    def reseed(self, uint64_t seed):
        """Start a new sequence of random numbers."""
        self.random = mix(seed)

    def training(self, PythonConfiguration c, gold):
        """Return the names of the transitions that training accepts; for `non-static` all that it can choose."""
        draws, self.draws = self.draws, False
        try:
            return Oracle.training(self, c, gold)
        finally:
            self.draws = draws

    def policy(self, PythonConfiguration c, gold):
        """Return a transition that is nearly always among the best, in any configuration."""
        cdef GoldTree tree = self._tree(c, gold)
        self.look(&c.c, &tree.gold)
        return NAMES[self.policy_move(&c.c, &tree.gold)]

    def upper(self, PythonConfiguration c, gold):
        """Return the number of wrong heads if the policy makes all further transitions: an upper bound of the loss."""
        cdef GoldTree tree = self._tree(c, gold)
        cdef PythonConfiguration after = c.copy()
        cdef long made = 0, limit = self.system.limit(tree.gold.n)
        while not self.system.is_terminal(&after.c):
            require_progress(self.system, &after.c, 1, made, limit)
            self.look(&after.c, &tree.gold)
            self.system.apply_move(&after.c, self.policy_move(&after.c, &tree.gold), NONE)
            made += 1
        return wrong_heads(&after.c, &tree.gold)

    def _tree(self, PythonConfiguration c, gold):
        return self._sound_tree(c, gold, self.system.single_root)

    # ---- on the way to the gold tree ---------------------------------------------------------------------------------

    cdef int static_move(self, const Configuration* c, const Gold* gold) noexcept nogil:
        cdef int top = S(c, 0), front = B(c, 0)
        if front == NONE:
            return RIGHT_ROOT if is_free(c, top) else REDUCE
        if top > ROOT and gold.heads[top] == front and is_free(c, top):
            return STAY_LEFT
        if gold.heads[front] == top and is_free(c, front):
            return STAY_RIGHT
        if top > ROOT and _meets(c, gold, NULL, top, IN_BUFFER, front, gold.n):
            if _meets(c, gold, NULL, front, ON_STACK, top, gold.n):
                return SWAP
        return REDUCE if top > ROOT and not is_free(c, top) and has_all_children(c, gold, top) else SHIFT

    cdef bint _may_wait(self, const Configuration* c, const Gold* gold, int move) noexcept nogil:
        """Return whether a Shift can postpone the static oracle's transition."""
        if move == REDUCE:
            return B(c, 0) != NONE and not _meets(c, gold, NULL, B(c, 0), ON_STACK, S(c, 0), gold.n)
        return move == STAY_RIGHT and S(c, 0) == ROOT and gold.first_child[ROOT + 1] - gold.first_child[ROOT] == 1

    cdef int accept(
        self, const Configuration* c, const Gold* gold, const int* moves, int count, int8_t* accepted, int loss
    ) noexcept nogil:
        cdef int i, move
        cdef bint waits
        if self.is_dynamic:
            return self._accept_good(c, gold, moves, count, accepted, loss)
        move = self.static_move(c, gold)
        waits = not self.is_static and self._may_wait(c, gold, move)
        waits = waits and (not self.draws or draw(&self.random) < self.postpone)
        for i in range(count):
            accepted[i] = (moves[i] == move and not (waits and self.draws)) or (moves[i] == SHIFT and waits)
        return loss

    # ---- in any configuration ----------------------------------------------------------------------------------------

    cdef int _find_wanted(self, const int* heads, const int* places, const Gold* gold, int* wanted) noexcept nogil:
        """Find the arcs that are wanted, and return the number of lost ones."""
        cdef int word, start, lost = 0
        for word in range(1, gold.n + 1):
            if gold.heads[word] == NONE:
                wanted[word] = NONE
                continue
            wanted[word] = gold.heads[word] if heads[word] == NONE and places[gold.heads[word]] != GONE else NONE
            lost += wanted[word] == NONE and heads[word] != gold.heads[word]
        self.walks.assign(gold.n + 1, 0)
        for start in range(1, gold.n + 1):
            word = start
            while word > ROOT and not self.walks[word]:
                self.walks[word] = start
                word = heads[word] if heads[word] != NONE else wanted[word]
            if word > ROOT and self.walks[word] == start:
                # A new cycle: the first wanted arc on it is given up.
                while wanted[word] == NONE:
                    word = heads[word]
                wanted[word] = NONE
                lost += 1
        return lost

    cdef int look(self, const Configuration* c, const Gold* gold) noexcept nogil:
        """Find the wanted arcs of a configuration, and return the number of lost ones."""
        self.wanted.resize(max(self.wanted.size(), <size_t>gold.n + 1))
        return self._find_wanted(c.heads, c.places, gold, self.wanted.data())

    cdef int _lost_after(self, const Configuration* c, const Gold* gold, int move) noexcept nogil:
        """Return the number of lost arcs after a transition that builds an arc or removes a word."""
        self.tried.resize(max(self.tried.size(), <size_t>gold.n + 1))
        self.heads.assign(c.heads, c.heads + gold.n + 1)
        self.places.assign(c.places, c.places + gold.n + 1)
        if move == REDUCE:
            self.places[S(c, 0)] = GONE
        else:
            self.heads[self.system.arc_child(c, move)] = self.system.arc_head(c, move)
        return self._find_wanted(self.heads.data(), self.places.data(), gold, self.tried.data())

    cdef int loss_of(self, const Configuration* c, const Gold* gold) noexcept nogil:
        return self.look(c, gold)

    cdef int cost_of(self, const Configuration* c, const Gold* gold, int move) noexcept nogil:
        return self._lost_after(c, gold, move) - self.look(c, gold) if _changes(move) else 0

    cdef int policy_move(self, const Configuration* c, const Gold* gold) noexcept nogil:
        """Return one good transition, by the wanted arcs that `look` has found."""
        cdef const int* wanted = self.wanted.data()
        cdef int[16] moves
        cdef int top = S(c, 0), front = B(c, 0)
        cdef bint mine_on_stack, mine_in_buffer, is_idle, theirs_on_stack, can_swap, can_reduce
        if self.system.list_moves(c, moves) == 1:
            return moves[0]
        if top > ROOT and wanted[top] == front and self.system.is_permitted(c, STAY_LEFT):
            return STAY_LEFT
        if wanted[front] == top and self.system.is_permitted(c, STAY_RIGHT):
            return STAY_RIGHT
        mine_on_stack = _meets(c, gold, wanted, top, ON_STACK, top, gold.n)
        mine_in_buffer = _meets(c, gold, wanted, top, IN_BUFFER, front, gold.n)
        is_idle = not (mine_on_stack or mine_in_buffer or wanted[front] == top or (top > ROOT and wanted[top] == front))
        theirs_on_stack = _meets(c, gold, wanted, front, ON_STACK, top, gold.n)
        can_swap = self.system.is_permitted(c, SWAP)
        can_reduce = self.system.is_permitted(c, REDUCE)
        if can_swap and mine_in_buffer and theirs_on_stack:
            return SWAP
        if can_reduce and is_idle:
            return REDUCE
        if can_swap and (mine_on_stack or theirs_on_stack or _meets(c, gold, wanted, top, IN_BUFFER, front, front)):
            return SWAP
        if theirs_on_stack and is_idle and self.system.is_permitted(c, STAY_LEFT):
            return STAY_LEFT
        if theirs_on_stack and can_reduce:
            return REDUCE
        return self._first_permitted(c)

    cdef int _first_permitted(self, const Configuration* c) noexcept nogil:
        cdef int i
        cdef int[4] order
        order[:] = [SHIFT, STAY_RIGHT, STAY_LEFT, REDUCE]
        for i in range(4):
            if self.system.is_permitted(c, order[i]):
                return order[i]
        return SWAP

    cdef int _accept_good(
        self, const Configuration* c, const Gold* gold, const int* moves, int count, int8_t* accepted, int loss
    ) noexcept nogil:
        """Accept the policy's transition and others that lose nothing.

        These are arcs, Reduces, and Shift if the front has no partner on the stack.
        Swap is accepted only where the policy makes it. Like most transitions it costs nothing, as it can be corrected
        later, but a parser that learns from all of these would swap back and forth.
        """
        cdef int i, lost, move
        if self.preference == ANY:
            return Oracle.accept(self, c, gold, moves, count, accepted, loss)
        lost = self.look(c, gold)
        move = self.policy_move(c, gold)
        for i in range(count):
            accepted[i] = moves[i] == move
            if _changes(moves[i]):
                accepted[i] = accepted[i] or self._lost_after(c, gold, moves[i]) == lost
            elif moves[i] == SHIFT:
                accepted[i] = accepted[i] or not _meets(c, gold, self.wanted.data(), B(c, 0), ON_STACK, NONE, gold.n)
        if self.preference == GOLD_FIRST:
            self.prefer_gold_arcs(c, gold, moves, count, accepted)
        return loss


cdef inline bint _changes(int move) noexcept nogil:
    """Return whether the transition builds an arc or removes a word. In the bound the others lose nothing."""
    return move in (STAY_LEFT, STAY_RIGHT, REDUCE, RIGHT_ROOT)


cdef inline bint _is_partner(const Configuration* c, int other, int place, int but, int most) noexcept nogil:
    return c.places[other] == place and other != but and other <= most


cdef bint _meets(
    const Configuration* c, const Gold* gold, const int* wanted, int word, int place, int but, int most
) noexcept nogil:
    """Return whether the word has a partner at that place, other than the word `but` and not after the word `most`.

    Partners are those of wanted arcs or, if `wanted` is NULL, of pending arcs.
    """
    cdef int i, child
    if word > ROOT and (wanted[word] != NONE if wanted != NULL else c.heads[word] != gold.heads[word]):
        if _is_partner(c, gold.heads[word], place, but, most):
            return True
    for i in range(gold.first_child[word], gold.first_child[word + 1]):
        child = gold.children[i]
        if (wanted[child] != NONE if wanted != NULL else c.heads[child] != word):
            if _is_partner(c, child, place, but, most):
                return True
    return False
