# cython: boundscheck=False, wraparound=False
"""The oracles of arc-standard with Swap: eager and lazy static ones, and a dynamic one with a lower bound of the loss.

A word is alive while it is on the stack or in the buffer. A gold arc is lost when it is not built and one of its ends
is no longer alive. Words can be put into any order, but only once. So lost arcs are the whole loss while no two words
that are alive have changed places; after that the loss can be greater.
"""

from libc.stdint cimport int8_t
from libcpp.vector cimport vector

from gardenpath.core.configuration cimport B, Configuration, GONE, NONE, ROOT, S, is_ancestor
from gardenpath.core.gold cimport Gold, fill_gold, has_all_children, release_gold
from gardenpath.core.moves cimport LEFT_ARC, RIGHT_ARC, SHIFT, SWAP
from gardenpath.oracles.base cimport ANY, Oracle
from gardenpath.systems.base cimport Configuration as PythonConfiguration, TransitionSystem


cdef class SwapOracle(Oracle):
    """`static` (lazy; Nivre, Kuhlmann and Hall, IWPT 2009), `eager` (Nivre, ACL 2009), and a new one for exploration.

    `loss` and `costs` come from a bound that never exceeds the loss, and equals it where the words of the stack and the
    buffer are in the order of the sentence. In the bound no Shift and no Swap costs anything, since later swaps can
    correct nearly everything. Training takes these two from the static rule.
    """

    kinds = ("static", "lazy", "eager", "nondet", "dynamic")
    fixed_kinds = ("static", "lazy", "eager")

    cdef bint is_lazy
    cdef Gold reachable                # the tree to reach after a mistake
    cdef vector[int] heads             # its heads

    def __cinit__(self, TransitionSystem system, str kind="dynamic", *_):
        self.is_lazy = kind != "eager"
        self.is_static = kind in ("static", "lazy", "eager")

    def __dealloc__(self):
        release_gold(&self.reachable)

    def _tree(self, PythonConfiguration c, gold):
        return self._sound_tree(c, gold, self.system.single_root)

    cdef int static_move(self, const Configuration* c, const Gold* gold) noexcept nogil:
        cdef int second = S(c, 1), top = S(c, 0)
        if second > ROOT and gold.heads[second] == top and has_all_children(c, gold, second):
            return LEFT_ARC
        if second != NONE and gold.heads[top] == second and has_all_children(c, gold, top):
            return RIGHT_ARC
        return self._plain_move(c, gold)

    cdef int _plain_move(self, const Configuration* c, const Gold* gold) noexcept nogil:
        """Return the static oracle's transition where it builds no arc.

        The lazy oracle first joins words that belong to one projective part, so that they are swapped as one.
        """
        cdef int second = S(c, 1), top = S(c, 0), front = B(c, 0)
        if second > ROOT and gold.ranks[top] < gold.ranks[second]:
            if not self.is_lazy or front == NONE or gold.components[top] != gold.components[front]:
                return SWAP
        return SHIFT

    cdef const Gold* _find_reachable(self, const Configuration* c, const Gold* gold) noexcept nogil:
        """Return the tree that determines the order of words after a mistake.

        Words that are no longer alive keep their heads. A word whose gold head is no longer alive gets that word's
        nearest ancestor that is alive.
        """
        cdef int word, head
        self.heads.assign(gold.heads, gold.heads + gold.n + 1)
        for word in range(1, gold.n + 1):
            if c.places[word] == GONE:
                self.heads[word] = c.heads[word]
            elif c.places[gold.heads[word]] == GONE:
                self.heads[word] = NONE
        for word in range(1, gold.n + 1):
            if self.heads[word] == NONE:
                head = gold.heads[word]
                while c.places[head] == GONE:
                    head = c.heads[head]
                self.heads[word] = ROOT if is_ancestor(self.heads.data(), word, head) else head
        fill_gold(&self.reachable, self.heads.data() + 1, NULL, gold.n)
        return &self.reachable

    cdef int loss_of(self, const Configuration* c, const Gold* gold) noexcept nogil:
        cdef int word, lost = 0
        for word in range(1, gold.n + 1):
            if c.places[word] == GONE:
                lost += c.heads[word] != gold.heads[word]
            else:
                lost += c.places[gold.heads[word]] == GONE
        return lost

    cdef int cost_of(self, const Configuration* c, const Gold* gold, int move) noexcept nogil:
        """Return the number of gold arcs of the word that leaves with the arc."""
        cdef int child, i, cost
        if not self.system.builds_arc(c, move):
            return 0
        child = self.system.arc_child(c, move)
        cost = gold.heads[child] != self.system.arc_head(c, move) and c.places[gold.heads[child]] != GONE
        for i in range(gold.first_child[child], gold.first_child[child + 1]):
            cost += c.places[gold.children[i]] != GONE
        return cost

    cdef bint may_follow(self, const Configuration* c, int move) noexcept nogil:
        """Allow wrong arcs only: after a wrong Shift or Swap, swaps are needed that no static rule knows."""
        return self.system.builds_arc(c, move)

    cdef int accept(
        self, const Configuration* c, const Gold* gold, const int* moves, int count, int8_t* accepted, int loss
    ) noexcept nogil:
        """Accept arcs that lose nothing, and Swap or Shift by the static rule; only gold arcs if there are such.

        If nothing of this is valid, accept the cheapest transitions.
        """
        cdef int i, plain
        cdef bint any_accepted = False
        if self.is_static or self.preference == ANY:
            return Oracle.accept(self, c, gold, moves, count, accepted, loss)
        plain = self._plain_move(c, self._find_reachable(c, gold) if self.loss_of(c, gold) else gold)
        if plain == SWAP and not self.system.is_permitted(c, SWAP):
            plain = SHIFT
        for i in range(count):
            if self.system.builds_arc(c, moves[i]):
                accepted[i] = self.cost_of(c, gold, moves[i]) == 0
            else:
                accepted[i] = moves[i] == plain
            any_accepted = any_accepted or accepted[i]
        if not any_accepted:
            return Oracle.accept(self, c, gold, moves, count, accepted, loss)
        self.prefer_gold_arcs(c, gold, moves, count, accepted)
        return loss
