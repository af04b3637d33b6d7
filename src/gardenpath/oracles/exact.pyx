"""Loss by exhaustive search: the judge of every other oracle, for tests and study. Its time grows exponentially with the sentence."""

from gardenpath.oracles.base cimport ANY, GOLD_FIRST, Oracle
from gardenpath.systems.base cimport Configuration, require_progress

from gardenpath.errors import UsageError

LIMIT = 2_000_000
REPAIRS = 1 << 16       # a value is loss * REPAIRS + number of repairs, so that its order is the order of preference


cdef class ExactOracle(Oracle):
    """Tries every continuation; remembers what it found as long as the gold tree stays the same."""

    kinds = ("exact",)
    fixed_kinds = exploring_kinds = ()

    cdef dict found          # what the search found, by configuration
    cdef list gold_heads     # the tree it was for

    def loss(self, Configuration c, gold):
        """The least number of words with a wrong head in any tree that can still be reached."""
        return self.value(c, gold) // REPAIRS

    def value(self, Configuration c, gold):
        """The least (loss, then number of repairs), as one number."""
        self._tree(c, gold)
        if self.gold_heads is None or self.gold_heads != list(gold):
            self.gold_heads = list(gold)
            self.found = {}
        return self._search(c, 0, self.system.limit(c.c.n))

    def costs(self, Configuration c, gold):
        """The cost of each permitted move: loss after minus loss before."""
        before = self.loss(c, gold)
        moves = self.system.named(c)
        return {name: self.loss(self._after(c, moves[name]), gold) - before for name in sorted(moves)}

    def training_costs(self, Configuration c, gold):
        """The same: there is no other cost to train with."""
        return self.costs(c, gold)

    def derives(self, heads):
        """Can the system build exactly this tree?"""
        return self.loss(self.system.initial(len(heads)), heads) == 0

    def training(self, Configuration c, gold):
        """The moves that begin a continuation of least loss and, among those, of fewest repairs; with `prefer="any"`, of least loss.

        `gold-first` leaves the gold arcs of these, if there are any; `monotonic-only` is not searched for and changes nothing.
        """
        if self.preference == ANY:
            return self.optimal(c, gold)
        best = self.value(c, gold)
        moves = self.system.named(c)
        accepted = sorted(name for name, move in moves.items() if self.value(self._after(c, move), gold) + self.system.repairs(&c.c, move) == best)
        if self.preference == GOLD_FIRST:
            return [name for name in accepted if self._is_gold(c, moves[name])] or accepted
        return accepted

    def _is_gold(self, Configuration c, int move):
        return self.system.builds_arc(&c.c, move) and self.gold_heads[self.system.arc_child(&c.c, move) - 1] == self.system.arc_head(&c.c, move)

    cdef Configuration _after(self, Configuration c, int move):
        cdef Configuration after = c.copy()
        self.system.apply_move(&after.c, move, -1)
        self.raise_failure()
        return after

    cdef long _search(self, Configuration c, long made, long limit) except -1:
        cdef long best = -1, value
        key = c.key()
        if key in self.found:
            return self.found[key]
        if len(self.found) > LIMIT:
            raise UsageError(f"more than {LIMIT} configurations to search; the exact oracle is for short sentences (up to 8 words or so)")
        if self.system.is_terminal(&c.c):
            best = REPAIRS * sum(built != gold for built, gold in zip(c.heads, self.gold_heads))
        else:
            moves = self.system.named(c)
            require_progress(self.system, &c.c, <int>len(moves), made, limit)
            for move in moves.values():
                value = self._search(self._after(c, move), made + 1, limit) + self.system.repairs(&c.c, move)
                if best < 0 or value < best:
                    best = value
        self.found[key] = best
        return best
