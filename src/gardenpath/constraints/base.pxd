"""The interface of constraints."""

from libcpp.vector cimport vector

from gardenpath.core.configuration cimport Configuration as RawConfiguration, NONE, ROOT
from gardenpath.core.gold cimport Gold
from gardenpath.systems.base cimport TransitionSystem


cdef class Constraint:
    cdef readonly TransitionSystem system
    cdef RawConfiguration after        # scratch: the configuration after a transition that is tried
    cdef vector[int] tops              # scratch: by word, its topmost ancestor by given arcs

    cdef bint allows(self, const RawConfiguration* c, const Gold* given, int move) noexcept nogil
    cdef bint prefers(self, const RawConfiguration* c, const Gold* given, int move) noexcept nogil
    cdef bint can_build(self, const RawConfiguration* c, const Gold* given) noexcept nogil
    cdef bint agrees(self, const Gold* given, bint single_root) except -1 nogil
    cdef int restrict(self, const RawConfiguration* c, const Gold* given, int* moves, int count) noexcept nogil
    cdef void try_move(self, const RawConfiguration* c, int move) noexcept nogil


cdef class GivenArcs:
    cdef readonly list heads
    cdef Gold arcs


cdef class GivenBatch:
    cdef list given                    # by sentence: GivenArcs, or None
    cdef vector[const Gold*] arcs      # by sentence, NULL if nothing is given


cdef inline bint fits(const Gold* given, int head, int word) noexcept nogil:
    """Return whether the given arcs leave a word free to have this head."""
    return given.heads[word] == NONE or given.heads[word] == head


cdef inline bint is_complete(const RawConfiguration* c, const Gold* given, int word) noexcept nogil:
    """Return whether all given dependents of a word have a head."""
    cdef int i
    for i in range(given.first_child[word], given.first_child[word + 1]):
        if c.heads[given.children[i]] == NONE:
            return False
    return True


cdef inline bint is_above(const RawConfiguration* c, const Gold* given, int word, int of) noexcept nogil:
    """Return whether a word is an ancestor of another, or the same word, by given and built arcs."""
    while of > ROOT and of != word:
        of = given.heads[of] if given.heads[of] != NONE else c.heads[of]
    return of == word
