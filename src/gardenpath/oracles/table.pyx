"""Oracles whose loss is not a sum over arcs: gold arcs that can each be had may not all be had together, so a table of partial parses is filled.

Filling it is the last resort. A lower bound counts the words whose gold head is out of reach for sure; only what a parse loses beyond that, its excess, is
looked for in the table, and only up to the excess that would make a difference. On the way to the gold tree, before the first mistake, no table is needed.
"""

from libc.stdint cimport int8_t
from libcpp.vector cimport vector

from gardenpath.core.configuration cimport B, Configuration, IN_BUFFER, NONE, ON_STACK, buffer_size, copy_into, release
from gardenpath.core.gold cimport Gold
from gardenpath.oracles.base cimport GOLD_FIRST, UNKNOWN, Oracle
from gardenpath.systems.base cimport Configuration as PythonConfiguration

from gardenpath.errors import UsageError
from gardenpath.trees import is_projective, is_tree


cdef class TableOracle(Oracle):
    """Exact losses by bounds and, where these leave a gap, by a table. It has scratch space of its own: one thread at a time may ask it."""

    def __dealloc__(self):
        release(&self.after)

    def _tree(self, PythonConfiguration c, gold):
        tree = Oracle._tree(self, c, gold)
        if self.system.is_projective and not (is_tree(gold, single_root=self.system.single_root) and is_projective(gold)):
            raise UsageError(
                f"{list(gold)} is no tree that {self.system!r} can build, which its oracle needs; "
                "lift crossing arcs with trees.projectivise, or ask the exact oracle"
            )
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


cdef void find_right_stack(const Configuration* c, const Gold* gold, vector[int8_t]& listed, vector[int]& words) noexcept nogil:
    """The words of the buffer that matter for what is on the stack (projective gold trees only): all others get their gold heads for nothing.

    Those are the words whose gold head is not in the buffer, and those with a gold dependent on the stack or among the words found before.
    """
    cdef int i, j, word, child
    cdef bint matters
    words.clear()
    listed.assign(c.n + 1, 0)
    for i in range(buffer_size(c)):
        word = B(c, i)
        matters = c.places[gold.heads[word]] != IN_BUFFER
        for j in range(gold.first_child[word], gold.first_child[word + 1]):
            child = gold.children[j]
            matters = matters or c.places[child] == ON_STACK or listed[child]
        if matters:
            listed[word] = 1
            words.push_back(word)
