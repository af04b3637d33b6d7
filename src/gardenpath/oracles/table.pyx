"""Oracles whose loss is not a sum over arcs.

Gold arcs that can each be built may exclude each other, so the loss comes from a table of partial parses. The table is
the last resort. A lower bound counts the words whose gold head is certainly unreachable. The excess is what a parse
loses beyond that; the table is filled only up to the excess that matters. Before the first mistake no table is needed.
"""

from libc.stdint cimport int8_t

from gardenpath.core.configuration cimport (
    B, Configuration, IN_BUFFER, NONE, ON_STACK, S, buffer_size, copy_into, release,
)
from gardenpath.core.gold cimport Gold
from gardenpath.oracles.base cimport GOLD_FIRST, UNKNOWN, Oracle
from gardenpath.systems.base cimport Configuration as PythonConfiguration

from gardenpath.errors import UsageError
from gardenpath.trees import is_projective


cdef class TableOracle(Oracle):
    """Exact losses by bounds and, if the bounds differ, by a table.

    Not thread-safe: it has scratch space of its own.
    """

    def __dealloc__(self):
        release(&self.after)

    def _tree(self, PythonConfiguration c, gold):
        tree = self._sound_tree(c, gold, self.system.single_root and self.system.is_projective)
        if self.system.is_projective and not is_projective(gold):
            raise UsageError(
                f"{list(gold)} has crossing arcs, which {self.system!r} cannot build; "
                f"lift them with trees.projectivise, or use the exact oracle"
            )
        return tree

    cdef int lower_bound(self, const Configuration* c, const Gold* gold) noexcept nogil:
        """Return the number of words that have a wrong head, or will certainly get one."""
        return 0

    cdef int loss_between(self, const Configuration* c, const Gold* gold, int least, int most) noexcept nogil:
        """Return the loss, which is known to be at least `least`; if it exceeds `most`, any number that does."""
        return 0

    cdef int loss_of(self, const Configuration* c, const Gold* gold) noexcept nogil:
        # A small excess is common and quick to find, a large one is rare, so the limit doubles.
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
        """List the words that the table joins: the stack and the words of the buffer that matter.

        For projective trees only.
        """
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
        """Return whether a word of the buffer has its gold head elsewhere, or a gold dependent on the stack or listed.

        All other words of the buffer get their gold heads without loss.
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

    cdef int accept(
        self, const Configuration* c, const Gold* gold, const int* moves, int count, int8_t* accepted, int loss
    ) noexcept nogil:
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

    cdef void accept_optimal(
        self, const Configuration* c, const Gold* gold, const int* moves, int count, int8_t* accepted, int loss
    ) noexcept nogil:
        """Mark the transitions that do not increase the loss."""
        cdef int i
        for i in range(count):
            self.try_move(c, moves[i])
            accepted[i] = self.loss_between(&self.after, gold, loss, loss) == loss

    cdef void accept_on_path(
        self, const Configuration* c, const Gold* gold, const int* moves, int count, int8_t* accepted
    ) noexcept nogil:
        """Mark the optimal transitions if the gold tree can still be reached: the nondeterministic oracle."""
        self.accept_optimal(c, gold, moves, count, accepted, 0)


cdef int wrong_heads(const Configuration* c, const Gold* gold) noexcept nogil:
    """Return the number of words that have a wrong head."""
    cdef int word, wrong = 0
    for word in range(1, c.n + 1):
        wrong += c.heads[word] != NONE and c.heads[word] != gold.heads[word]
    return wrong
