"""Judge opportunities to repair with an oracle. Native, because some systems have one at nearly every step."""

from array import array

from libc.limits cimport INT_MAX
from libc.stdint cimport int8_t

from gardenpath.oracles.base cimport GoldTree, Oracle, UNKNOWN
from gardenpath.systems.base cimport Configuration, TransitionSystem

from gardenpath.errors import UsageError


cdef class Referee:
    """Judges the transitions of a parser on a sentence with the gold tree `heads`. Not thread-safe."""

    cdef Oracle oracle
    cdef GoldTree tree
    cdef int[::1] moves
    cdef int8_t[::1] accepted
    cdef int count

    def __init__(self, Oracle oracle, heads):
        self.oracle = oracle
        self.tree = GoldTree(heads)
        room = oracle.system.widest(len(heads))
        self.moves = array("i", bytes(4 * room))
        self.accepted = array("b", bytes(room))

    def judge(self, Configuration c, str made):
        """Return the kind, the word and the outcome of each opportunity in a configuration where `made` was made.

        The word is the one that the repair gives a head or moves back to the buffer. The outcomes are those of
        `Outcomes`.
        """
        cdef TransitionSystem system = self.oracle.system
        cdef int i
        self.count = system.list_moves(&c.c, &self.moves[0])
        repairs = [i for i in range(self.count) if system.repairs(&c.c, self.moves[i])]
        if not repairs or self.count == 1:
            return []
        names = [system.name_of(&c.c, self.moves[i]) for i in range(self.count)]
        if made not in names:
            raise UsageError(f"{system.name}: {made!r} is not valid in {c!r}; valid transitions: {', '.join(names)}")
        number = names.index(made)
        loses_nothing = self._loses_nothing(c, number)
        return [
            (names[i], system.arc_child(&c.c, self.moves[i]), self._outcome(c, i, number, loses_nothing))
            for i in repairs
        ]

    cdef str _outcome(self, Configuration c, int repair, int made, bint loses_nothing):
        cdef bint is_right = self._is_right(c, repair)
        if made == repair:
            return "true_positive" if is_right else "even" if loses_nothing else "false_positive"
        if is_right and not self.accepted[made]:
            return "false_negative"
        return "true_negative" if loses_nothing else "other"

    cdef bint _loses_nothing(self, Configuration c, int number):
        """Return whether no valid transition has a lower cost. (The lowest cost of a bound need not be 0.)"""
        cdef int i, cost, its_cost = 0, least = INT_MAX
        for i in range(self.count):
            cost = self.oracle.cost_of(&c.c, &self.tree.gold, self.moves[i])
            least = min(least, cost)
            if i == number:
                its_cost = cost
        return its_cost == least

    cdef bint _is_right(self, Configuration c, int repair):
        """Return whether training accepts the repair and its arc, if any, is gold. The slow check comes last."""
        cdef int move = self.moves[repair]
        if self.oracle.system.builds_arc(&c.c, move) and not self.oracle._builds_gold_arc(&c.c, &self.tree.gold, move):
            return False
        self.oracle.accept(&c.c, &self.tree.gold, &self.moves[0], self.count, &self.accepted[0], UNKNOWN)
        return self.accepted[repair]
