"""One derivation move by move, for people to look at."""

from libc.math cimport exp, log
from libc.stdint cimport int64_t

from gardenpath.core.configuration cimport copy_into
from gardenpath.neural.board cimport SLOTS, Board, Item
from gardenpath.neural.rules cimport Choice, Rules
from gardenpath.systems.base cimport Configuration

import numpy as np

from gardenpath.search.trace import TraceStep


cdef class Walk:
    """A derivation of the one sentence of a board, by the classes of its scored moves.

    Whoever walks asks `pass_by` for the moves that need no scores, `look` what to score, and tells `go` the scores.
    """

    cdef readonly Board board
    cdef Item* item
    cdef list classes

    def __init__(self, Board board, list classes):
        self.board = board
        self.item = &board.items[0]
        self.classes = classes[::-1]
        board.begin(self.item, 0)

    def look(self):
        """The slots of the configuration to be scored next; none at the end."""
        slots = np.empty((0 if self.item.finished else 1, SLOTS), np.int64)
        cdef int64_t[:, ::1] view = slots
        if not self.item.finished:
            self.board.slots(self.item, &view[0, 0])
        return slots

    def pass_by(self):
        """The moves that are made unasked."""
        cdef Choice choice
        steps = []
        while not self.item.finished and self.board.rules.only_choice(&self.item.c, &choice):
            steps.append(self._make(choice, None, {}))
        return steps

    def go(self, const float[:, ::1] scores):
        """Make the next scored move: its log-probability, and the highest of each permitted move."""
        cdef Choice choice
        choice.index = self.classes.pop()
        choice.move = self.board.rules.move_of(&self.item.c, choice.index)
        groups = {name: self._group(scores[0], move) for name, move in self.board.rules.system.named(self.configuration()).items()}
        top = max(max(group) for group in groups.values())
        self.board.rules.remember(&self.item.c, &scores[0, 0])
        total = top + log(sum(exp(score - top) for group in groups.values() for score in group))
        return self._make(choice, scores[0, choice.index] - total, {name: max(group) - total for name, group in groups.items()})

    def _group(self, const float[::1] scores, int move):
        """The scores of the classes of a move."""
        cdef Rules rules = self.board.rules
        group = rules.classes.group(&self.item.c, move)
        return [scores[i] for i in range(rules.classes.first[group], rules.classes.end[group])]

    cdef _make(self, Choice choice, score, scores):
        cdef Configuration before = self.configuration()
        cdef Rules rules = self.board.rules
        arc = None
        if rules.system.builds_arc(&before.c, choice.move):
            arc = rules.system.arc_head(&before.c, choice.move), rules.system.arc_child(&before.c, choice.move)
        self.board.make(self.item, choice)
        label = rules.classes.labels[self.item.c.labels[arc[1]]] if arc else None
        return TraceStep(before, rules.system.name_of(&before.c, choice.move), label, arc, rules.system.repairs(&before.c, choice.move), score, scores)

    cpdef Configuration configuration(self):
        """The configuration as it is now."""
        cdef Configuration c = Configuration(self.item.c.n)
        copy_into(&c.c, &self.item.c)
        c.system = self.board.rules.system.name
        c.single_root = self.board.rules.system.single_root
        c.label_names = list(self.board.rules.classes.labels)
        return c
