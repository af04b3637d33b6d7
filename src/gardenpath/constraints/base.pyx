"""The abstract constraint: which transitions agree with the arcs that are given.

Some words of a sentence have a given head. A transition is allowed if at least one tree that contains all given arcs
can still be reached after it. So a parser that makes only allowed transitions always ends in such a tree. A constraint
is the counterpart of an oracle: an oracle counts the gold arcs that a transition loses, a constraint forbids to lose
any, and knows only some of them.
"""

from array import array

from libcpp.vector cimport vector

from gardenpath.core.configuration cimport (
    Configuration as RawConfiguration, NONE, ROOT, clear, copy_into, release, reserve,
)
from gardenpath.core.gold cimport Gold, fill_given, release_gold
from gardenpath.systems.base cimport Configuration, TransitionSystem

from gardenpath.errors import UsageError

cdef enum:
    UNFINISHED = -2


cdef class GivenArcs:
    """The given arcs of a sentence. `heads[0]` is the head of word 1, None if no head is given.

    `labels` are the numbers of their labels, NONE if the label is not given.
    """

    def __cinit__(self, heads, labels=None):
        cdef int[::1] view, numbers
        if not len(heads) or any(head is not None and not ROOT <= head <= len(heads) for head in heads):
            raise UsageError(f"a given head is None or a number from 0 to {len(heads)}, not one of {list(heads)}")
        view = array("i", [NONE if head is None else head for head in heads])
        self.heads = list(heads)
        numbers = array("i", labels or [NONE] * len(heads))
        fill_given(&self.arcs, &view[0], &numbers[0], <int>len(heads))

    def __dealloc__(self):
        release_gold(&self.arcs)


cdef class GivenBatch:
    """The given arcs of a batch of sentences, None for a sentence without any."""

    def __cinit__(self, list given):
        cdef GivenArcs arcs
        self.given = given
        for arcs in given:
            self.arcs.push_back(&arcs.arcs if arcs is not None else NULL)


cdef class Constraint:
    """The constraint of one system.

    The given arcs must be arcs of one tree that the system can build (`is_consistent`). Not thread-safe: it has scratch
    space.
    """

    def __cinit__(self, TransitionSystem system, *_):
        self.system = system

    def __dealloc__(self):
        release(&self.after)

    cdef bint allows(self, const RawConfiguration* c, const Gold* given, int move) noexcept nogil:
        """Return whether a valid transition agrees with the given arcs."""
        return True

    cdef bint prefers(self, const RawConfiguration* c, const Gold* given, int move) noexcept nogil:
        """Return whether a parser prefers a valid transition. By default, it prefers all that are allowed.

        A preferred transition is allowed, and after it some transition is preferred again.
        """
        return self.allows(c, given, move)

    cdef bint can_build(self, const RawConfiguration* c, const Gold* given) noexcept nogil:
        """Return whether a tree with the given arcs can be built, from the initial configuration.

        It is called for arcs that have no cycle and, in a projective system, do not cross.
        """
        return True

    cdef bint agrees(self, const Gold* given, bint single_root) except -1 nogil:
        """Return whether the system can build a tree with the given arcs; with `single_root`, one with one root."""
        if single_root and given.first_child[ROOT + 1] - given.first_child[ROOT] > 1:
            return False
        if not _find_tops(given, &self.tops) or (self.system.is_projective and not _is_projective(given, &self.tops)):
            return False
        reserve(&self.after, given.n)
        clear(&self.after, given.n)
        self.system.start(&self.after)
        return self.can_build(&self.after, given)

    cdef int restrict(self, const RawConfiguration* c, const Gold* given, int* moves, int count) noexcept nogil:
        """Remove the transitions that a parser may not make from a list, and return the number of the others."""
        cdef int i, left = 0
        for i in range(count):
            moves[left] = moves[i]
            left += self.prefers(c, given, moves[i])
        return left

    cdef void try_move(self, const RawConfiguration* c, int move) noexcept nogil:
        """Make a transition in the scratch configuration."""
        copy_into(&self.after, c)
        self.system.apply_move(&self.after, move, NONE)

    def restrict_roughly(self):
        """Let `restrict` keep transitions that are slow to check, and return whether there are any.

        This is for a search that calls `prefers` for the transitions with the best scores only.
        """
        return False

    # ---- the Python interface ----------------------------------------------------------------------------------------

    def allowed(self, Configuration c, heads):
        """Return the names of the valid transitions that agree with the given heads, sorted."""
        cdef GivenArcs given = self._arcs(c, heads)
        return sorted(name for name, move in self.system.named(c).items() if self.allows(&c.c, &given.arcs, move))

    def preferred(self, Configuration c, heads):
        """Return the names of the allowed transitions that a parser prefers, sorted.

        In most systems they are all preferred. A parser makes only preferred transitions, as long as there are any.
        """
        cdef GivenArcs given = self._arcs(c, heads)
        return sorted(name for name, move in self.system.named(c).items() if self.prefers(&c.c, &given.arcs, move))

    def _arcs(self, Configuration c, heads):
        cdef GivenArcs given = GivenArcs(heads)
        if given.arcs.n != c.c.n:
            raise UsageError(f"heads of {given.arcs.n} words are given, the configuration has {c.c.n}")
        return given

    def is_consistent(self, GivenArcs given, bint single_root):
        """Return whether the system can build a tree with the given arcs; with `single_root`, one with one root."""
        return self.agrees(&given.arcs, single_root)


cdef bint _find_tops(const Gold* given, vector[int]* tops) except -1 nogil:
    """Find the topmost ancestor of each word by given arcs. Return False if there is a cycle."""
    cdef vector[int] path
    cdef int word, above, below
    tops.assign(given.n + 1, NONE)
    tops[0][ROOT] = ROOT
    for word in range(1, given.n + 1):
        path.clear()
        above = word
        while tops[0][above] == NONE and given.heads[above] != NONE:
            tops[0][above] = UNFINISHED
            path.push_back(above)
            above = given.heads[above]
        if tops[0][above] == UNFINISHED:
            return False
        if tops[0][above] == NONE:
            tops[0][above] = above
        for below in path:
            tops[0][below] = tops[0][above]
    return True


cdef bint _is_projective(const Gold* given, const vector[int]* tops) except -1 nogil:
    """Return whether a projective tree has the given arcs, which have no cycle.

    It does if no arcs cross, and if no arc covers a root word or the topmost ancestor of its own head. The head of such
    a word would have to be beyond the arc.
    """
    cdef int word, head, first, last
    for word in range(1, given.n + 1):
        head = given.heads[word]
        first, last = min(word, head), max(word, head)
        if head > ROOT and first < tops[0][head] < last:
            return False
    return not _covers_root(given) and not _has_crossing(given)


cdef bint _covers_root(const Gold* given) except -1 nogil:
    """Return whether a root word is between the ends of an arc."""
    cdef vector[int] roots                       # by word: the number of root words up to it
    cdef int word, head
    roots.assign(given.n + 1, 0)
    for word in range(1, given.n + 1):
        roots[word] = roots[word - 1] + (given.heads[word] == ROOT)
    for word in range(1, given.n + 1):
        head = given.heads[word]
        if head > ROOT and roots[max(word, head) - 1] > roots[min(word, head)]:
            return True
    return False


cdef bint _has_crossing(const Gold* given) except -1 nogil:
    """Return whether two arcs cross."""
    cdef vector[int] ends                        # right ends of the arcs around a word, the nearest last
    cdef int word, head, child, i
    for word in range(1, given.n + 1):
        while not ends.empty() and ends.back() == word:
            ends.pop_back()
        head = given.heads[word]
        i = given.first_child[word + 1]
        while head > word or (i > given.first_child[word] and given.children[i - 1] > word):
            child = given.children[i - 1] if i > given.first_child[word] else NONE
            if not ends.empty() and max(head, child) > ends.back():
                return True
            ends.push_back(max(head, child))
            if head > child:
                head = NONE
            else:
                i -= 1
    return False
