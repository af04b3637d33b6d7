"""The constraints of arc-standard, LR-spine and Attardi's parser."""

from libcpp.vector cimport vector

from gardenpath.constraints.base cimport Constraint, fits, is_above, is_complete
from gardenpath.core.configuration cimport (
    B, Configuration, IN_BUFFER, NONE, ROOT, S, buffer_size, left_child, right_child,
)
from gardenpath.core.gold cimport Gold
from gardenpath.core.moves cimport LEFT_ARC, SHIFT, head_of, kind_of


cdef class ArcStandardConstraint(Constraint):
    """Arc-standard: a word gets its head after its dependents, and both before the stack grows above it."""

    cdef bint allows(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        cdef int i = 0, child
        if move == SHIFT:
            while i < c.stack_size and not (_waits_for_head(given, S(c, i)) or _lacks_left(c, given, S(c, i))):
                i += 1
            return _may_shift(c, given, i)
        child = self.system.arc_child(c, move)
        return fits(given, self.system.arc_head(c, move), child) and is_complete(c, given, child)


cdef inline bint _waits_for_head(const Gold* given, int word) noexcept nogil:
    """Return whether the given head of a word of the stack is below it."""
    return given.heads[word] != NONE and given.heads[word] < word


cdef inline bint _lacks_left(const Configuration* c, const Gold* given, int word) noexcept nogil:
    """Return whether a word lacks a given dependent to its left."""
    cdef int i
    for i in range(given.first_child[word], given.first_child[word + 1]):
        if given.children[i] > word:
            return False
        if c.heads[given.children[i]] == NONE:
            return True
    return False


cdef bint _may_shift(const Configuration* c, const Gold* given, int i) noexcept nogil:
    """Return whether the front of the buffer may be pushed if all words above S(i) must become descendants of S(i).

    By given and built arcs, the front and its ancestors in the buffer must not be ancestors of S(i) or of words farther
    down, nor descendants of words farther down.
    """
    cdef int word = B(c, 0), top
    if i >= c.stack_size:
        return True
    top = S(c, i)
    while c.places[word] == IN_BUFFER:
        if given.first_child[word] < given.first_child[word + 1] and given.children[given.first_child[word]] < top:
            return False
        if given.heads[word] == NONE:
            return not is_above(c, given, word, top)
        word = given.heads[word]
    while c.heads[word] != NONE:
        word = c.heads[word]
    return word >= top


cdef class LRSpineConstraint(Constraint):
    """LR-spine: an arc hides parts of two spines. No word that is hidden may wait for a dependent on that side."""

    cdef bint allows(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        cdef int head = head_of(move), i = 0
        if move == SHIFT:
            while i < c.stack_size and not _waits_for_head(given, S(c, i)):
                i += 1
            return _may_shift(c, given, i)
        if not fits(given, head, self.system.arc_child(c, move)):
            return False
        if kind_of(move) == LEFT_ARC:
            return not (_waits_left(c, given, left_child(c, head)) or _waits_right(c, given, S(c, 1)))
        return not (_waits_right(c, given, right_child(c, head)) or _waits_left(c, given, S(c, 0)))


cdef bint _waits_left(const Configuration* c, const Gold* given, int word) noexcept nogil:
    """Return whether a word of a left spine, from this one on, lacks a given dependent to its left."""
    while word != NONE and not _lacks_left(c, given, word):
        word = left_child(c, word)
    return word != NONE


cdef bint _waits_right(const Configuration* c, const Gold* given, int word) noexcept nogil:
    """Return whether a word of a right spine, from this one on, lacks a given dependent to its right."""
    cdef int i
    while word != NONE:
        for i in range(given.first_child[word + 1] - 1, given.first_child[word] - 1, -1):
            if given.children[i] < word:
                break
            if c.heads[given.children[i]] == NONE:
                return True
        word = right_child(c, word)
    return False


# The heads and dependents of left-arc, right-arc, left-arc:2 and right-arc:2, as indices from the top of the stack.
cdef int[4] HEADS = [0, 1, 0, 2]
cdef int[4] CHILDREN = [1, 0, 2, 0]


cdef class AttardiConstraint(ArcStandardConstraint):
    """Attardi's parser: arcs as in arc-standard. Shift is allowed if a greedy completion succeeds after it.

    The greedy completion builds an arc as soon as it is allowed. An arc whose dependent is complete never prevents
    another one (see `AttardiOracle`), so if the greedy completion fails, every other one does.
    """

    cdef vector[int] stack
    cdef vector[int] waiting           # by word: the number of given dependents without a head

    cdef bint allows(self, const Configuration* c, const Gold* given, int move) noexcept nogil:
        return self._completes(c, given, 1) if move == SHIFT else ArcStandardConstraint.allows(self, c, given, move)

    cdef bint can_build(self, const Configuration* c, const Gold* given) noexcept nogil:
        return self._completes(c, given, 0)

    cdef bint _completes(self, const Configuration* c, const Gold* given, int shifted) noexcept nogil:
        """Return whether the greedy completion succeeds after this number of Shifts."""
        cdef int word, arc
        self.stack.assign(c.stack, c.stack + c.stack_size)
        self.waiting.assign(c.n + 1, 0)
        for word in range(1, c.n + 1):
            if given.heads[word] != NONE:
                self.waiting[given.heads[word]] += c.heads[word] == NONE
        for word in range(shifted):
            self.stack.push_back(B(c, word))
        while shifted < buffer_size(c) or self.stack.size() > 1:
            arc = self._find_arc(given, shifted < buffer_size(c))
            if arc != NONE:
                word = self._stacked(CHILDREN[arc])
                if given.heads[word] != NONE:
                    self.waiting[given.heads[word]] -= 1
                self.stack.erase(self.stack.end() - 1 - CHILDREN[arc])
            elif shifted < buffer_size(c):
                self.stack.push_back(B(c, shifted))
                shifted += 1
            else:
                return False
        return True

    cdef int _find_arc(self, const Gold* given, bint can_shift) noexcept nogil:
        """Return the number of an arc that is allowed, NONE if there is none."""
        cdef int arc, head, word
        for arc in range(4):
            head, word = self._stacked(HEADS[arc]), self._stacked(CHILDREN[arc])
            if word <= ROOT or head == NONE or self.waiting[word] or not fits(given, head, word):
                continue
            if head != ROOT or not self.system.single_root or (not can_shift and self.stack.size() == 2):
                return arc
        return NONE

    cdef inline int _stacked(self, int i) noexcept nogil:
        return self.stack[self.stack.size() - 1 - i] if <size_t>i < self.stack.size() else NONE
