# cython: boundscheck=False, wraparound=False
"""The common part of the constraints of systems in which words change places.

Two words change places only once. So after a Swap, the remaining swaps may not be enough to build all given arcs. It is
tried to prove that they are, in this order:

1. The configuration after the transition is *easy*: a rule proves that all given arcs can be built.
2. One of a few fixed *policies*, which look at the configuration only, builds all given arcs.
3. A depth-first search finds an easy or a final configuration. It opens at most `BOUND` configurations.

A transition is allowed if any of these succeeds, and preferred if 1 or 2 does. A parser makes only preferred
transitions, as long as there are any. After the others, the given arcs can usually be built only with the help of a
word that has nothing to do with them: it sends other words back to the buffer, and loses its own head by that. The
scores of the transitions do not show this loss.

A parser is never stuck, neither with preferred nor with allowed transitions. In an easy configuration some transition
leads to an easy configuration, or to one where a policy succeeds; the classes say which. Where a policy succeeds, its
next transition is preferred too. Where the search succeeds, it also succeeds after the next transition of the path that
it has found: a search from there opens no configuration that the first search did not open.
"""

from libc.stdint cimport uint64_t

from gardenpath.constraints.slow cimport SlowConstraint
from gardenpath.core.configuration cimport B, Configuration, NONE, S, buffer_size, copy_into, release
from gardenpath.core.gold cimport Gold
from gardenpath.core.hashing cimport join, mix

cdef enum:
    BOUND = 20000


cdef class ReorderingConstraint(SlowConstraint):
    """The proofs. Subclasses define when a configuration is easy, and the policies."""

    def __dealloc__(self):
        cdef size_t i
        for i in range(self.path.size()):
            release(&self.path[i].c)

    cdef bint allows(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        return self.prefers(c, given, move) or self._finds_way(c, given, move)

    cdef bint prefers(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        cdef int policy
        if not self.keeps_arcs(c, given, move):
            return False
        if self.stays_easy(c, given, move):
            return True
        self.try_move(c, move)
        if self.is_easy(&self.after, given):
            return True
        for policy in range(self.policies):
            if policy:
                self.try_move(c, move)
            if self._completes(given, policy):
                return True
        return False

    cdef int restrict(self, const Configuration* c, const Gold* given, int* moves, int count) noexcept nogil:
        cdef int i, left = SlowConstraint.restrict(self, c, given, moves, count)
        if left:
            return left
        for i in range(self.system.list_moves(c, moves)):
            moves[left] = moves[i]
            left += self.allows(c, given, moves[i])
        return left

    # ---- what subclasses define --------------------------------------------------------------------------------------

    cdef bint can_agree(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        """Return whether the search tries a transition. Every transition passes after which a tree can agree."""
        return self.keeps_arcs(c, given, move)

    cdef bint stays_easy(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        """Return whether the configuration is certainly easy after a transition, without making it."""
        return False

    cdef bint is_easy(self, const Configuration* c, const Gold* given) noexcept nogil:
        """Return whether all given arcs that can be built one by one can be built together."""
        return False

    cdef const Gold* target(self, const Configuration* c, const Gold* given, int policy) noexcept nogil:
        """Return the arcs that a policy builds from this configuration on, at least the given ones."""
        return given

    cdef int next_move(self, const Configuration* c, const Gold* target, int policy) noexcept nogil:
        """Return the transition of a policy, NONE if there is none."""
        return NONE

    cdef bint builds(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        """Return whether a transition is valid and keeps each given arc possible."""
        return self.system.is_permitted(c, move) and self.keeps_arcs(c, given, move)

    cdef uint64_t key(self, const Configuration* c) noexcept nogil:
        """Return a hash of everything in a configuration that affects which given arcs can be built."""
        cdef uint64_t key = join(mix(c.stack_size), c.cursor << 1 | c.flag)
        cdef int i
        for i in range(c.stack_size):
            key = join(key, c.stack[i])
        for i in range(c.returned_size):
            key = join(key, c.returned[i])
        return key

    # ---- policies and search -----------------------------------------------------------------------------------------

    cdef bint _completes(self, const Gold* given, int policy) noexcept nogil:
        """Return whether a policy builds all given arcs from the scratch configuration on."""
        cdef int move
        cdef const Gold* target = self.target(&self.after, given, policy)
        while not self.system.is_terminal(&self.after):
            move = self.next_move(&self.after, target, policy)
            if move == NONE or not self.keeps_arcs(&self.after, given, move):
                return False
            self.system.apply_move(&self.after, move, NONE)
        return True

    cdef bint _finds_way(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        """Return whether the search finds a way to build all given arcs after a transition."""
        cdef int depth = 0
        cdef Step* step
        cdef Step* following
        self.seen.clear()
        self._make_room(1)
        copy_into(&self.path[0].c, c)
        self.path[0].moves[0], self.path[0].count = move, 1
        while depth >= 0 and self.seen.size() < BOUND:
            self._make_room(depth + 2)
            step, following = &self.path[depth], &self.path[depth + 1]
            if step.count == 0:
                depth -= 1
                continue
            step.count -= 1
            move = step.moves[step.count]
            if not self.can_agree(&step.c, given, move):
                continue
            copy_into(&following.c, &step.c)
            self.system.apply_move(&following.c, move, NONE)
            if self.system.is_terminal(&following.c) or self.is_easy(&following.c, given):
                return True
            if self.seen.insert(self.key(&following.c)).second:
                following.count = self.system.list_moves(&following.c, following.moves)
                depth += 1
        return False

    cdef void _make_room(self, size_t size) noexcept nogil:
        if self.path.size() < size:
            self.path.resize(size)


cdef bint is_nearly_in_order(const Configuration* c) noexcept nogil:
    """Return whether the stack, and the words below its top followed by the buffer, are in sentence order."""
    cdef int i, last
    for i in range(1, c.stack_size):
        if c.stack[i] < c.stack[i - 1]:
            return False
    last = S(c, 1)
    for i in range(min(c.returned_size + 1, buffer_size(c))):
        if B(c, i) < last:
            return False
        last = B(c, i)
    return True
