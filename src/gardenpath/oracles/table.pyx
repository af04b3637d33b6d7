"""Oracles whose loss is not a sum over arcs: gold arcs that can each be had may not all be had together, so a table of partial parses is filled.

Filling it is the last resort. A lower bound counts the words whose gold head is out of reach for sure; only what a parse loses beyond that, its excess, is
looked for in the table, and only up to the excess that would make a difference. On the way to the gold tree, before the first mistake, no table is needed.
"""

from libc.stdint cimport int8_t

from gardenpath.core.configuration cimport B, Configuration, IN_BUFFER, NONE, ON_STACK, S, buffer_size, copy_into, release
from gardenpath.core.gold cimport Gold
from gardenpath.oracles.base cimport GOLD_FIRST, UNKNOWN, Oracle
from gardenpath.systems.base cimport Configuration as PythonConfiguration

from gardenpath.errors import UsageError
from gardenpath.trees import is_projective


cdef class TableOracle(Oracle):
    """Exact losses by bounds and, where these leave a gap, by a table. It has scratch space of its own: one thread at a time may ask it."""

    def __dealloc__(self):
        release(&self.after)

    def _tree(self, PythonConfiguration c, gold):
        tree = self._sound_tree(c, gold, self.system.single_root and self.system.is_projective)
        if self.system.is_projective and not is_projective(gold):
            raise UsageError(f"{list(gold)} has crossing arcs, which {self.system!r} cannot build; lift them with trees.projectivise, or ask the exact oracle")
        return tree

    cdef int lower_bound(self, const Configuration* c, const Gold* gold) noexcept nogil:
        """The words that have a wrong head, or are sure to get one."""
        return 0

    cdef int loss_between(self, const Configuration* c, const Gold* gold, int least, int most) noexcept nogil:
        """The loss, which is known to be `least` or more; if it is more than `most`, any number above that."""
        return 0

    cdef int loss_of(self, const Configuration* c, const Gold* gold) noexcept nogil:
        # A small excess is common and quickly found, a large one rare: the limit doubles.
        cdef int bound = self.lower_bound(c, gold), excess = 0, loss
        while True:
            loss = self.loss_between(c, gold, bound, bound + excess)
            if loss <= bound + excess:
                return loss
            excess = 2 * excess + 1

    cdef int cost_of(self, const Configuration* c, const Gold* gold, int move) noexcept nogil:
        cdef int before = self.loss_of(c, gold)
        self.try_move(c, move)
        return self.loss_of(&self.after, gold) - before

    cdef void find_stacks(self, const Configuration* c, const Gold* gold) noexcept nogil:
        """List the words that the table joins (projective gold trees only): of the buffer, those that all others can be left to."""
        cdef int i
        self.left.clear()
        self.right.clear()
        self.listed.assign(c.n + 1, 0)
        for i in range(c.stack_size - self.system.single_root):
            self.left.push_back(S(c, i))
        self.right.push_back(S(c, 0))
        for i in range(buffer_size(c)):
            if self._matters(c, gold, B(c, i)):
                self.listed[B(c, i)] = 1
                self.right.push_back(B(c, i))

    cdef bint _matters(self, const Configuration* c, const Gold* gold, int word) noexcept nogil:
        """Is the gold head of a word of the buffer elsewhere, or a gold dependent of it on the stack or among the words listed before?

        All other words of the buffer get their gold heads for nothing.
        """
        cdef int i, child
        if c.places[gold.heads[word]] != IN_BUFFER:
            return True
        for i in range(gold.first_child[word], gold.first_child[word + 1]):
            child = gold.children[i]
            if c.places[child] == ON_STACK or self.listed[child]:
                return True
        return False

    cdef void try_move(self, const Configuration* c, int move) noexcept nogil:
        copy_into(&self.after, c)
        self.system.apply_move(&self.after, move, NONE)

    cdef int accept(self, const Configuration* c, const Gold* gold, const int* moves, int count, int8_t* accepted, int loss) noexcept nogil:
        if self.is_static:
            self.accept_static(c, gold, moves, count, accepted)
            return loss
        if loss == UNKNOWN:
            loss = self.loss_of(c, gold)
        if loss == 0:
            self.accept_on_path(c, gold, moves, count, accepted)
        else:
            self.accept_optimal(c, gold, moves, count, accepted, loss)
        if self.preference == GOLD_FIRST:
            self.prefer_gold_arcs(c, gold, moves, count, accepted)
        return loss

    cdef void accept_optimal(self, const Configuration* c, const Gold* gold, const int* moves, int count, int8_t* accepted, int loss) noexcept nogil:
        """Mark the moves that leave the loss as it is."""
        cdef int i
        for i in range(count):
            self.try_move(c, moves[i])
            accepted[i] = self.loss_between(&self.after, gold, loss, loss) == loss

    cdef void accept_on_path(self, const Configuration* c, const Gold* gold, const int* moves, int count, int8_t* accepted) noexcept nogil:
        """The same where the gold tree can still be reached: the nondeterministic oracle."""
        self.accept_optimal(c, gold, moves, count, accepted, 0)


cdef int wrong_heads(const Configuration* c, const Gold* gold) noexcept nogil:
    """How many words have a wrong head."""
    cdef int word, wrong = 0
    for word in range(1, c.n + 1):
        wrong += c.heads[word] != NONE and c.heads[word] != gold.heads[word]
    return wrong
