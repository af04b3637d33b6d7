"""The abstract oracle.

An oracle says which transitions to learn from; the trainer chooses the transition to make. A cost is the number of gold
arcs that a transition makes unreachable.
"""

from array import array

from libc.limits cimport INT_MAX
from libc.stdint cimport int8_t

from gardenpath.core.configuration cimport Configuration as RawConfiguration, NONE, clear, reserve
from gardenpath.core.gold cimport Gold, fill_gold, release_gold
from gardenpath.core.moves cimport has
from gardenpath.systems.base cimport Configuration, TransitionSystem, require_progress

from gardenpath.errors import UsageError
from gardenpath.trees import problems

PREFERENCES = {
    "repair-last": REPAIR_LAST, "any": ANY, "monotonic-only": MONOTONIC_ONLY, "gold-first": GOLD_FIRST,
    "shift-first": SHIFT_FIRST,
}


cdef class GoldTree:
    """A gold tree that oracles can read, made from a list of heads; `heads[0]` is the head of word 1."""

    def __cinit__(self, heads):
        cdef int[::1] view
        if any(head is None or not 0 <= head <= len(heads) for head in heads) or not len(heads):
            raise UsageError(f"a gold tree has a head from 0 to {len(heads)} for every word, not {list(heads)}")
        view = array("i", heads)
        fill_gold(&self.gold, &view[0], NULL, <int>len(heads))

    def __dealloc__(self):
        release_gold(&self.gold)


cdef class Oracle:
    """An oracle for one system.

    Its kind is `static` or `nondet`, for configurations that can still reach the gold tree, or `dynamic`, for all.
    """

    kinds = ("static", "nondet", "dynamic")
    fixed_kinds = ("static",)        # kinds that name one transition for each configuration
    exploring_kinds = ("dynamic",)   # kinds that can be asked after a wrong transition, so that training may explore
    bound_kinds = ()                 # kinds whose costs come from a bound of the loss
    options = {}                     # settings that the oracle takes, with their defaults
    option_limits = {}               # the least and the greatest value of each
    option_kinds = {}                # the kinds that use each; all kinds if an option is not here

    def __cinit__(self, TransitionSystem system, str kind="dynamic", str prefer="repair-last", *_):
        if prefer not in PREFERENCES:
            raise UsageError(f"no preference is called {prefer!r}; there are {', '.join(PREFERENCES)}")
        self.system = system
        self.kind = kind
        self.is_static = kind == "static"
        self.preference = PREFERENCES[prefer]

    cdef int loss_of(self, const RawConfiguration* c, const Gold* gold) noexcept nogil:
        """Return the least number of words with a wrong head in any tree that can still be reached."""
        return 0

    cdef int cost_of(self, const RawConfiguration* c, const Gold* gold, int move) noexcept nogil:
        """Return how much a transition adds to the loss."""
        return 0

    cdef int rank_of(self, const RawConfiguration* c, const Gold* gold, int move, int limit) noexcept nogil:
        """Return what training compares the transitions of a configuration by.

        That is the cost, or a number that is quicker to compute and has the same order. If it is greater than `limit`,
        the method may return any number greater than `limit`.
        """
        return self.cost_of(c, gold, move)

    cdef int static_move(self, const RawConfiguration* c, const Gold* gold) noexcept nogil:
        """Return the transition that the static oracle makes on the way to the gold tree."""
        return 0

    cdef unsigned preferred(self, const RawConfiguration* c, const Gold* gold, unsigned optimal) noexcept nogil:
        """Return the optimal transitions that training accepts, by the preference."""
        return optimal

    cdef int accept(
        self, const RawConfiguration* c, const Gold* gold, const int* moves, int count, int8_t* accepted, int loss
    ) noexcept nogil:
        """Mark the valid transitions that training accepts: the preferred ones among the cheapest.

        Exact costs of the cheapest are 0. `loss` is the loss of the configuration, or UNKNOWN. The return value is the
        same, and stays true while accepted transitions are made. Oracles that need the loss compute it here; those
        whose costs are formulas return `loss`.
        """
        cdef int i, cost, least = INT_MAX
        cdef unsigned optimal = 0
        if self.is_static:
            self.accept_static(c, gold, moves, count, accepted)
            return loss
        for i in range(count):
            cost = self.rank_of(c, gold, moves[i], least)
            if cost < least:
                least = cost
                optimal = 0
            if cost == least:
                optimal |= 1 << moves[i]
        if self.preference != ANY:
            optimal = self.preferred(c, gold, optimal)
        for i in range(count):
            accepted[i] = has(optimal, moves[i])
        if self.preference == GOLD_FIRST:
            self.prefer_gold_arcs(c, gold, moves, count, accepted)
        return loss

    cdef void accept_static(
        self, const RawConfiguration* c, const Gold* gold, const int* moves, int count, int8_t* accepted
    ) noexcept nogil:
        cdef int i, move = self.static_move(c, gold)
        for i in range(count):
            accepted[i] = moves[i] == move

    cdef void prefer_gold_arcs(
        self, const RawConfiguration* c, const Gold* gold, const int* moves, int count, int8_t* accepted
    ) noexcept nogil:
        """If an accepted transition builds a gold arc, accept only such transitions."""
        cdef int i
        cdef bint found = False
        for i in range(count):
            found = found or (accepted[i] and self._builds_gold_arc(c, gold, moves[i]))
        for i in range(count):
            accepted[i] = accepted[i] and (not found or self._builds_gold_arc(c, gold, moves[i]))

    cdef bint _builds_gold_arc(self, const RawConfiguration* c, const Gold* gold, int move) noexcept nogil:
        if not self.system.builds_arc(c, move):
            return False
        return gold.heads[self.system.arc_child(c, move)] == self.system.arc_head(c, move)

    cdef bint may_follow(self, const RawConfiguration* c, int move) noexcept nogil:
        """Return whether the oracle helps after this wrong transition, so that training may follow it."""
        return True

    cdef int decide(
        self, const RawConfiguration* c, const Gold* gold, const int* moves, int count, int8_t* accepted, int loss
    ) except? -2 nogil:
        """Do the same as `accept`, and raise an error if none of the transitions is accepted."""
        cdef int i
        loss = self.accept(c, gold, moves, count, accepted, loss)
        for i in range(count):
            if accepted[i]:
                return loss
        return self.stop(c, moves, count)

    cdef int stop(self, const RawConfiguration* c, const int* moves, int count) except -2 with gil:
        """Raise the error of `decide`."""
        self.raise_failure()
        names = ", ".join([self.system.name_of(c, moves[i]) for i in range(count)])
        raise UsageError(
            f"the {self.kind} oracle of {self.system.name} accepts no valid transition on a sentence of {c.n} words; "
            f"valid are {names or 'none'}; correct the oracle"
        )

    cdef int raise_failure(self) except -1:
        """Raise an error of Python code in this thread that native code could not pass on."""
        return self.system.raise_failure()

    cdef bint builds(self, RawConfiguration* c, const Gold* gold) except -1 nogil:
        """Return whether the static oracle builds exactly this tree, trying it in the configuration."""
        cdef int move, word
        cdef long made = 0, limit = self.system.limit(gold.n)
        reserve(c, gold.n)
        clear(c, gold.n)
        self.system.start(c)
        while not self.system.is_terminal(c):
            move = self.static_move(c, gold)
            if not self.system.is_permitted(c, move):
                return False
            require_progress(self.system, c, 1, made, limit)
            self.system.apply_move(c, move, NONE)
            made += 1
        for word in range(1, gold.n + 1):
            if c.heads[word] != gold.heads[word]:
                return False
        return True

    def reseed(self, seed):
        """Start a new sequence of random numbers, in oracles that use them."""

    # ---- the Python interface ----------------------------------------------------------------------------------------

    def loss(self, Configuration c, gold):
        """Return the least number of words with a wrong head in any tree that can still be reached."""
        cdef GoldTree tree = self._tree(c, gold)
        return self.loss_of(&c.c, &tree.gold)

    def costs(self, Configuration c, gold):
        """Return the cost of each valid transition: the loss after it minus the loss before it."""
        cdef GoldTree tree = self._tree(c, gold)
        moves = self.system.named(c)
        return {name: self.cost_of(&c.c, &tree.gold, moves[name]) for name in sorted(moves)}

    def training_costs(self, Configuration c, gold):
        """Return the costs that training compares. They are the exact ones, except in the oracle of arc-eager-tree."""
        return Oracle.costs(self, c, gold)

    def labelled_costs(self, Configuration c, gold, labels):
        """Return the cost of each valid transition with each label: `{"left-arc(nsubj)": 0, "left-arc(obj)": 1, ...}`.

        A gold arc with a wrong label costs 1 more. If the arc is wrong, all labels cost the same.
        """
        inventory = sorted(set(labels))
        moves = self.system.named(c)
        result = {}
        for name, cost in self.costs(c, gold).items():
            move = moves[name]
            if not self.system.builds_arc(&c.c, move):
                result[name] = cost
                continue
            child = self.system.arc_child(&c.c, move)
            is_gold = gold[child - 1] == self.system.arc_head(&c.c, move)
            for label in inventory:
                result[f"{name}({label})"] = cost + (is_gold and label != labels[child - 1])
        return result

    def optimal(self, Configuration c, gold):
        """Return the names of the cheapest transitions, sorted; for the static oracle its one transition.

        Their cost is 0, unless costs come from a bound of the loss.
        """
        if self.is_static:
            return self.training(c, gold)
        costs = self.costs(c, gold)
        least = min(costs.values(), default=0)
        return [name for name, cost in costs.items() if cost == least]

    def training(self, Configuration c, gold):
        """Return the names of the transitions that training accepts, sorted."""
        cdef GoldTree tree = self._tree(c, gold)
        if self.system.is_terminal(&c.c):
            return []
        if self.kind == "nondet" and self.loss(c, gold) > 0:
            raise UsageError(f"the gold tree cannot be reached from {c!r}; use the dynamic oracle instead of `nondet`")
        named = self.system.named(c)
        cdef int[::1] moves = array("i", named.values())
        cdef int8_t[::1] accepted = array("b", bytes(len(named)))
        if not named:
            self.system.stop(&c.c, 0, 0)
        self.accept(&c.c, &tree.gold, &moves[0], <int>len(named), &accepted[0], 0 if self.kind == "nondet" else UNKNOWN)
        self.raise_failure()
        return sorted(name for i, name in enumerate(named) if accepted[i])

    def derives(self, heads):
        """Return whether the static oracle builds exactly this tree."""
        cdef GoldTree tree = GoldTree(heads)
        cdef Configuration c = Configuration(tree.gold.n)
        cdef bint found = self.builds(&c.c, &tree.gold)
        self.raise_failure()
        return found

    def _sound_tree(self, Configuration c, gold, bint single_root):
        """Return the gold tree; raise an error if it is not a tree."""
        tree = Oracle._tree(self, c, gold)
        for fault in problems(gold, single_root=single_root):
            raise UsageError(f"{list(gold)} is not a gold tree for {self.system!r}: {fault}; correct it")
        return tree

    def _tree(self, Configuration c, gold):
        self.system.require(c)
        if len(gold) != c.c.n:
            raise UsageError(f"the gold tree has {len(gold)} words, the configuration {c.c.n}")
        return GoldTree(gold)
