"""One derivation move by move, for people to look at."""

from libc.math cimport exp, log
from libc.stdint cimport int64_t

from gardenpath.core.configuration cimport NONE, copy_into
from gardenpath.neural.board cimport SLOTS, Board, Item
from gardenpath.neural.rules cimport Choice, Rules
from gardenpath.systems.base cimport Configuration

import numpy as np

from gardenpath.errors import UsageError
from gardenpath.search.trace import TraceStep


cdef class Walk:
    """A derivation of the one sentence of a board, by the classes of its scored moves.

    Whoever walks asks `pass_by` for the moves that need no scores, `look` what to score, and tells `go` the scores. Where a `guide` names another move than
    the derivation has, that one is made, and from there on the walk goes by the best scores.
    """

    cdef readonly Board board
    cdef Item* item
    cdef list classes                      # still to come, the next one last; None: they are not known, for the walk has left them
    cdef object guide
    cdef tuple named                       # what the guide has said about the next move, if it was asked and that was not done yet

    def __init__(self, Board board, list classes, guide=None):
        self.board = board
        self.item = &board.items[0]
        self.classes = classes[::-1]
        self.guide = guide
        board.begin(self.item, 0)

    def look(self):
        """The slots of the configuration to be scored next; none at the end."""
        slots = np.empty((0 if self.item.finished else 1, SLOTS), np.int64)
        cdef int64_t[:, ::1] view = slots
        if not self.item.finished:
            self.board.slots(self.item, &view[0, 0])
        return slots

    def pass_by(self):
        """The moves that are made unasked, as long as the guide, if there is one, does not want others."""
        cdef Choice choice
        steps = []
        while not self.item.finished:
            self.named = self.guide(self.configuration()) if self.guide else None
            if not self.board.rules.only_choice(&self.item.c, &choice):
                break
            if self.named and self.named[0] != self.board.rules.system.name_of(&self.item.c, choice.move):
                break
            steps.append(self._make(choice, None, {}, {}))
        return steps

    def go(self, const float[:, ::1] scores):
        """Make the next scored move: its log-probability, and the highest of each permitted move."""
        cdef Choice choice
        cdef Rules rules = self.board.rules
        groups = {name: self._group(scores[0], move) for name, move in rules.system.named(self.configuration()).items()}
        top = max(max(group.values()) for group in groups.values())
        rules.remember(&self.item.c, &scores[0, 0])
        total = top + log(sum(exp(score - top) for group in groups.values() for score in group.values()))
        if self.named:
            choice.index = self._class_of(groups)
            self.classes = None
        elif self.classes is None:
            choice.index = max((index for group in groups.values() for index in group), key=lambda index: (scores[0, index], -index))
        else:
            choice.index = self.classes.pop()
        choice.move = rules.move_of(&self.item.c, choice.index)
        best = {name: max(group, key=group.get) for name, group in groups.items()}
        labels = {name: self._label(index) for name, index in best.items()}
        return self._make(choice, scores[0, choice.index] - total, {name: groups[name][index] - total for name, index in best.items()}, labels)

    def _group(self, const float[::1] scores, int move):
        """The scores of the classes of a move."""
        cdef Rules rules = self.board.rules
        group = rules.classes.group(&self.item.c, move)
        return {i: scores[i] for i in range(rules.classes.first[group], rules.classes.end[group])}

    def _class_of(self, groups):
        """The class of the named move, with its label if it has one of that name, else with the best label."""
        name, label = self.named
        self.board.rules.system._permitted(self.configuration(), name)
        group = groups[name]
        known = {self._label(index): index for index in group}
        if label is None or None in known:
            return max(group, key=group.get)
        if label not in known:
            raise UsageError(f"{name} has no label {label!r} in this model; it has {', '.join(sorted(known))}")
        return known[label]

    def _label(self, int index):
        cdef Rules rules = self.board.rules
        label = rules.classes.label_of[index]
        return rules.classes.labels[label] if label != NONE else None

    cdef _make(self, Choice choice, score, scores, labels):
        cdef Configuration before = self.configuration()
        cdef Rules rules = self.board.rules
        arc = rules.system.arc_of(before, choice.move)
        self.board.make(self.item, choice)
        label = rules.classes.labels[self.item.c.labels[arc[1]]] if arc else None
        return TraceStep(
            before, rules.system.name_of(&before.c, choice.move), label, arc, rules.system.repairs(&before.c, choice.move), score, scores, labels,
            self.named is not None,
        )

    def tree(self, bint single_root):
        """The heads and label ids at the end; with `single_root`, root words but the first hang from that one."""
        return self.board.tree_of(self.item, single_root)

    cpdef Configuration configuration(self):
        """The configuration as it is now."""
        cdef Configuration c = Configuration(self.item.c.n)
        copy_into(&c.c, &self.item.c)
        c.system = self.board.rules.system.name
        c.single_root = self.board.rules.system.single_root
        c.label_names = list(self.board.rules.classes.labels)
        return c
