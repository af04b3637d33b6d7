"""What a transition system's moves are to the network."""

from libc.stdint cimport int8_t

from gardenpath.systems.classes cimport Classes
from gardenpath.core.configuration cimport Configuration
from gardenpath.systems.base cimport TransitionSystem

cdef enum:
    MOST_MOVES = 16        # that can be permitted at once

cdef struct Choice:
    int move
    int index              # the class


cdef class Rules:
    cdef readonly TransitionSystem system
    cdef readonly Classes classes
    cdef readonly bint both_ends           # does an arc renew its dependent too, since that stays in sight?
    cdef int unheard                       # the kind of move that the history is not told of
    cdef bint remembers                    # may a word later get the label that a right-arc had for it when it was last in front?

    cdef bint only_choice(self, const Configuration* c, Choice* choice) noexcept nogil
    cdef void mark_valid(self, const Configuration* c, int8_t* valid) noexcept nogil
    cdef int move_of(self, const Configuration* c, int index) noexcept nogil
    cdef void remember(self, Configuration* c, const float* scores) noexcept nogil
