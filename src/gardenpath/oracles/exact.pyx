"""Losses by exhaustive search, for tests and study: all other oracles are compared with it.

Its time grows exponentially with the length of the sentence.
"""

from gardenpath.oracles.base cimport ANY, GOLD_FIRST, Oracle
from gardenpath.systems.base cimport Configuration, require_progress

from gardenpath.errors import UsageError

LIMIT = 2_000_000
REPAIRS = 1 << 16       # a value is loss * REPAIRS + number of repairs, so that smaller values are preferred


cdef class ExactOracle(Oracle):
    """Tries every continuation, and caches the results while the gold tree stays the same."""

    kinds = ("exact",)
    fixed_kinds = exploring_kinds = ()

    cdef dict found          # by configuration: the result of the search
    cdef list gold_heads     # the gold tree of these results

    def loss(self, Configuration c, gold):
        """Return the least number of words with a wrong head in any tree that can still be reached."""
        return self.value(c, gold) // REPAIRS

    def value(self, Configuration c, gold):
        """Return the least pair of loss and number of repairs, as one number."""
        self._tree(c, gold)
        if self.gold_heads is None or self.gold_heads != list(gold):
            self.gold_heads = list(gold)
            self.found = {}
        return self._search(c, 0, self.system.limit(c.c.n))

    def costs(self, Configuration c, gold):
        """Return the cost of each valid transition: the loss after it minus the loss before it."""
        before = self.loss(c, gold)
        moves = self.system.named(c)
        return {name: self.loss(self._after(c, moves[name]), gold) - before for name in sorted(moves)}

    def training_costs(self, Configuration c, gold):
        """Return the costs that training compares: the same."""
        return self.costs(c, gold)

    def derives(self, heads):
        """Return whether the system can build exactly this tree."""
        return self.loss(self.system.initial(len(heads)), heads) == 0

    def training(self, Configuration c, gold):
        """Return the transitions that start a continuation of least loss and, among those, of fewest repairs.

        With the preference `any`, repairs do not count. With `gold-first`, only those that build a gold arc are
        returned, if there are such. `monotonic-only` has no effect here.
        """
        if self.preference == ANY:
            return self.optimal(c, gold)
        best = self.value(c, gold)
        moves = self.system.named(c)
        accepted = []
        for name, move in sorted(moves.items()):
            if self.value(self._after(c, move), gold) + self.system.repairs(&c.c, move) == best:
                accepted.append(name)
        if self.preference == GOLD_FIRST:
            return [name for name in accepted if self._is_gold(c, moves[name])] or accepted
        return accepted

    def _is_gold(self, Configuration c, int move):
        arc = self.system.arc_of(c, move)
        return arc is not None and self.gold_heads[arc[1] - 1] == arc[0]

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
            raise UsageError(f"more than {LIMIT} configurations to search; the exact oracle is for about 8 words")
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
