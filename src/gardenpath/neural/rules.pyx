"""What a transition system's moves are to the network: which of them it scores, in which classes, and which vectors they renew."""

from libc.stdint cimport int8_t
from libc.string cimport memset

from gardenpath.systems.classes cimport Classes
from gardenpath.core.configuration cimport B, Configuration, NONE
from gardenpath.core.moves cimport RIGHT_ARC, UNSHIFT
from gardenpath.systems.base cimport TransitionSystem

from gardenpath.errors import UsageError

# In these systems a word that gets its head leaves with that move, so only the head is renewed.
DEPENDENTS_LEAVE = ("arc-standard", "attardi", "swap")


cdef class Rules:
    """A system and its classes, seen by the network."""

    def __cinit__(self, TransitionSystem system, Classes classes):
        if system.has_depths:
            raise UsageError(f"the stack-LSTM cannot score {system.name}, whose arcs of different depths are one class; train a perceptron, or another system")
        self.system = system
        self.classes = classes
        self.both_ends = system.name not in DEPENDENTS_LEAVE
        # There alone it is no decision, but what happens when the buffer is empty.
        self.unheard = UNSHIFT if system.name == "stay-eager" else NONE
        self.remembers = system.remembers_labels or system.has_pairs

    cdef bint only_choice(self, const Configuration* c, Choice* choice) noexcept nogil:
        """Is there but one class to choose, or does it not matter which? Then nothing needs scoring."""
        cdef int moves[MOST_MOVES]
        cdef int group
        choice.move = moves[0] if self.system.list_moves(c, moves) == 1 else self.system.forced(c)
        if choice.move == NONE:
            return False
        group = self.classes.group(c, choice.move)
        choice.index = self.classes.first[group]
        return self.classes.end[group] - self.classes.first[group] == 1

    cdef void mark_valid(self, const Configuration* c, int8_t* valid) noexcept nogil:
        """Mark the classes of the permitted moves."""
        cdef int moves[MOST_MOVES]
        cdef int i, group
        memset(valid, 0, self.classes.size)
        for i in range(self.system.list_moves(c, moves)):
            group = self.classes.group(c, moves[i])
            memset(valid + self.classes.first[group], 1, self.classes.end[group] - self.classes.first[group])

    cdef int move_of(self, const Configuration* c, int index) noexcept nogil:
        """The permitted move that a class stands for here."""
        cdef int moves[MOST_MOVES]
        cdef int i, group
        for i in range(self.system.list_moves(c, moves)):
            group = self.classes.group(c, moves[i])
            if self.classes.first[group] <= index < self.classes.end[group]:
                return moves[i]
        return NONE

    cdef void remember(self, Configuration* c, const float* scores) noexcept nogil:
        """Let the word in front remember the label that a right-arc would give it now, for a Reduce or a root policy that attaches it later."""
        cdef int i, best = self.classes.first[RIGHT_ARC]
        if not self.remembers:
            return
        for i in range(best + 1, self.classes.end[RIGHT_ARC]):
            if scores[i] > scores[best]:
                best = i
        c.shift_labels[B(c, 0)] = self.classes.label_of[best]
