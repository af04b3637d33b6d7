"""The border between oracles and everybody else.

An oracle says which moves to learn from; which move is then made is the trainer's choice. A cost is the number of gold arcs that a move puts out of reach.
"""

from array import array

from gardenpath.core.configuration cimport Configuration as RawConfiguration, clear, release, reserve
from gardenpath.core.gold cimport Gold, fill_gold, release_gold
from gardenpath.core.moves cimport MOVES, has
from gardenpath.systems.base cimport Configuration, TransitionSystem

from gardenpath.core.moves import MOVE_OF, NAMES
from gardenpath.errors import UsageError

PREFERENCES = {"repair-last": REPAIR_LAST, "any": ANY, "monotonic-only": MONOTONIC_ONLY}


cdef class GoldTree:
    """A gold tree that oracles can read: heads as a list, `heads[0]` is word 1's."""

    def __cinit__(self, heads):
        cdef int[::1] view
        if any(head is None or not 0 <= head <= len(heads) for head in heads) or not len(heads):
            raise UsageError(f"a gold tree has a head between 0 and {len(heads)} for every word, not {list(heads)}")
        view = array("i", heads)
        fill_gold(&self.gold, &view[0], NULL, <int>len(heads))

    def __dealloc__(self):
        release_gold(&self.gold)


cdef list _names(unsigned moves):
    return sorted(NAMES[move] for move in range(MOVES) if has(moves, move))


cdef class Oracle:
    """An oracle for one system: `static`, `nondet` (both for configurations that can still reach the gold tree) or `dynamic` (for any)."""

    def __cinit__(self, TransitionSystem system, str kind="dynamic", str prefer="repair-last"):
        if prefer not in PREFERENCES:
            raise UsageError(f"no training preference is called {prefer!r}; there are {', '.join(PREFERENCES)}")
        self.system = system
        self.kind = kind
        self.is_static = kind == "static"
        self.preference = PREFERENCES[prefer]

    cdef int loss_of(self, const RawConfiguration* c, const Gold* gold) noexcept nogil:
        """The least number of words with a wrong head in any tree that can still be reached."""
        return 0

    cdef int cost_of(self, const RawConfiguration* c, const Gold* gold, int move) noexcept nogil:
        """How much the move adds to the loss."""
        return 0

    cdef int static_move(self, const RawConfiguration* c, const Gold* gold) noexcept nogil:
        """The one canonical move on the way to the gold tree."""
        return 0

    cdef unsigned preferred(self, const RawConfiguration* c, const Gold* gold, unsigned optimal) noexcept nogil:
        """The optimal moves that training accepts, by the spec's preference."""
        return optimal

    cdef unsigned cheapest(self, const RawConfiguration* c, const Gold* gold, unsigned permitted) noexcept nogil:
        """The permitted moves of least cost (which is 0, where costs are exact)."""
        cdef unsigned moves = 0
        cdef int i, move, cost, least = c.n + 1
        for i in range(self.system.available_count):
            move = self.system.available[i]
            if has(permitted, move):
                cost = self.cost_of(c, gold, move)
                if cost < least:
                    least = cost
                    moves = 0
                if cost == least:
                    moves |= 1 << move
        return moves

    cdef unsigned accepted(self, const RawConfiguration* c, const Gold* gold, unsigned permitted) noexcept nogil:
        """The moves that training accepts."""
        if self.is_static:
            return 1 << self.static_move(c, gold)
        cdef unsigned optimal = self.cheapest(c, gold, permitted)
        return optimal if self.preference == ANY else self.preferred(c, gold, optimal)

    # ---- looking inside -----------------------------------------------------------------------------------------------------------------------------

    def loss(self, Configuration c, gold):
        """The least number of words with a wrong head in any tree that can still be reached."""
        cdef GoldTree tree = self._tree(c, gold)
        return self.loss_of(&c.c, &tree.gold)

    def costs(self, Configuration c, gold):
        """The cost of each permitted move: loss after minus loss before."""
        cdef GoldTree tree = self._tree(c, gold)
        return {name: self.cost_of(&c.c, &tree.gold, MOVE_OF[name]) for name in self.system.valid(c)}

    def training_costs(self, Configuration c, gold):
        """The costs that training goes by: the exact ones, but where the system's page says otherwise (arc-eager-tree)."""
        return Oracle.costs(self, c, gold)

    def labelled_costs(self, Configuration c, gold, labels):
        """The cost of each permitted move with each gold label: `{"left-arc(nsubj)": 0, "left-arc(obj)": 1, "shift": 2}`.

        A gold arc with a wrong label costs 1 more; where the arc is wrong, all labels cost the same.
        """
        inventory = sorted(set(labels))
        result = {}
        for name, cost in self.costs(c, gold).items():
            move = MOVE_OF[name]
            if not self.system.builds_arc(&c.c, move):
                result[name] = cost
                continue
            child = self.system.arc_child(&c.c, move)
            is_gold = gold[child - 1] == self.system.arc_head(&c.c, move)
            for label in inventory:
                result[f"{name}({label})"] = cost + (is_gold and label != labels[child - 1])
        return result

    def optimal(self, Configuration c, gold):
        """The names of the zero-cost moves, sorted; for the static oracle its one move."""
        if self.is_static:
            return self.training(c, gold)
        return [name for name, cost in self.costs(c, gold).items() if cost == 0]

    def training(self, Configuration c, gold):
        """The names of the moves that training accepts, sorted."""
        cdef GoldTree tree = self._tree(c, gold)
        if self.system.is_terminal(&c.c):
            return []
        if self.kind == "nondet" and self.loss(c, gold) > 0:
            raise UsageError(f"the gold tree is out of reach in {c!r}; the nondeterministic oracle is for gold paths, ask the dynamic one")
        return _names(self.accepted(&c.c, &tree.gold, self.system.permitted(&c.c)))

    def derives(self, heads):
        """Does the static oracle build exactly this tree?"""
        cdef GoldTree tree = GoldTree(heads)
        cdef RawConfiguration c
        cdef int move, i, n = tree.gold.n
        cdef bint same = True
        c.left = NULL
        c.stack = NULL
        c.capacity = 0
        reserve(&c, n)
        clear(&c, n)
        self.system.start(&c)
        with nogil:
            while same and not self.system.is_terminal(&c):
                move = self.static_move(&c, &tree.gold)
                same = self.system.is_permitted(&c, move)
                if same:
                    self.system.apply_move(&c, move, -1)
            for i in range(1, n + 1):
                same = same and c.heads[i] == tree.gold.heads[i]
        release(&c)
        return same

    def _tree(self, Configuration c, gold):
        if len(gold) != c.c.n:
            raise UsageError(f"the gold tree has {len(gold)} words, the configuration {c.c.n}")
        return GoldTree(gold)
