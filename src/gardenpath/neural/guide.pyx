"""The oracle's derivations of a treebank, and what the network has to compute to score them."""

from array import array

import numpy as np

from libc.stdint cimport int8_t, int64_t
from libc.stdlib cimport calloc, free
from libcpp.vector cimport vector

from gardenpath.core.configuration cimport Configuration, NONE, clear, release, reserve
from gardenpath.core.gold cimport Gold, fill_gold, release_gold
from gardenpath.neural.board cimport SLOTS, Board, Item
from gardenpath.neural.records cimport Records
from gardenpath.neural.rules cimport MOST_MOVES, Choice, Rules
from gardenpath.oracles.base cimport Oracle

from gardenpath.errors import UsageError


cdef class Guide:
    """The trees of a treebank (pairs of heads and labels) and the oracle that leads to them: one that names a move without seeing what the model would do."""

    cdef readonly Rules rules
    cdef readonly Oracle oracle
    cdef Gold* gold
    cdef int count
    cdef Configuration c

    def __cinit__(self, Rules rules, Oracle oracle, list trees):
        cdef int i
        cdef int[::1] heads, labels
        self.rules = rules
        self.oracle = oracle
        self.gold = <Gold*>calloc(len(trees) + 1, sizeof(Gold))
        if self.gold == NULL:
            raise MemoryError("no memory for the gold trees")
        self.count = <int>len(trees)
        ids = {label: number for number, label in enumerate(rules.classes.labels)}
        for i, (tree_heads, tree_labels) in enumerate(trees):
            heads, labels = array("i", tree_heads), array("i", [ids[label] for label in tree_labels])
            fill_gold(&self.gold[i], &heads[0], &labels[0], <int>len(heads))

    def __dealloc__(self):
        cdef int i
        for i in range(self.count):
            release_gold(&self.gold[i])
        free(self.gold)
        release(&self.c)

    def derive(self, int number):
        """The oracle's derivation of a tree, a row a move: the move, its class, and whether it is a scored one."""
        cdef vector[Choice] choices
        cdef vector[int] scored
        cdef Choice choice
        cdef int i
        if not 0 <= number < self.count:
            raise UsageError(f"trees are numbered from 0 to {self.count - 1}, not {number}")
        with nogil:
            reserve(&self.c, self.gold[number].n)
            clear(&self.c, self.gold[number].n)
            self.c.root_label = self.rules.classes.root_label
            self.rules.system.start(&self.c)
            while not self.rules.system.is_terminal(&self.c):
                scored.push_back(not self.rules.only_choice(&self.c, &choice))
                if scored.back():
                    choice = self._wanted(&self.gold[number])
                self.rules.system.apply_move(&self.c, choice.move, self.rules.classes.label_of[choice.index])
                choices.push_back(choice)
        derivation = np.empty((choices.size(), 3), np.int32)
        cdef int[:, ::1] view = derivation
        for i in range(<int>choices.size()):
            view[i, 0], view[i, 1], view[i, 2] = choices[i].move, choices[i].index, scored[i]
        return derivation

    cdef Choice _wanted(self, const Gold* gold) noexcept nogil:
        """The move that the oracle accepts, with the label of the gold arc if it builds that."""
        cdef int moves[MOST_MOVES]
        cdef int8_t accepted[MOST_MOVES]
        cdef int i = 0, group, label = NONE, count = self.rules.system.list_moves(&self.c, moves)
        cdef Choice choice
        self.oracle.accept(&self.c, gold, moves, count, accepted, 0)
        while not accepted[i] and i < count - 1:
            i += 1
        choice.move = moves[i]
        if self.rules.system.builds_arc(&self.c, choice.move):
            label = gold.labels[self.rules.system.arc_child(&self.c, choice.move)]
        group = self.rules.classes.group(&self.c, choice.move)
        choice.index = self.rules.classes.first[group]
        while self.rules.classes.label_of[choice.index] not in (NONE, label) and choice.index < self.rules.classes.end[group] - 1:
            choice.index += 1
        return choice


def unroll(Board board, list derivations):
    """Follow a derivation of each sentence, to where it ends or is broken off.

    Returns records of the configurations that are scored, eight slots and the right class each, with the valid classes of each. What has to be computed for
    them is in the records of the board.
    """
    cdef Records steps = Records(SLOTS + 1, 0, 0)
    cdef vector[int8_t] valid
    cdef int[:, ::1] moves
    cdef int i, classes = board.rules.classes.size
    for i in range(board.size):
        moves = derivations[i]
        with nogil:
            board.begin(&board.items[i], i)
            _follow(board, &board.items[i], moves, steps, valid)
    marks = np.empty((valid.size() // classes, classes), np.int8)
    cdef int8_t[:, ::1] view = marks
    cdef int64_t j
    for j in range(<int64_t>valid.size()):
        view[j // classes, j % classes] = valid[j]
    return steps.take(), marks.view(np.bool_)


cdef int _follow(Board board, Item* item, int[:, ::1] moves, Records steps, vector[int8_t]& valid) except -1 nogil:
    cdef int64_t[SLOTS + 1] step
    cdef Choice choice
    cdef int i
    for i in range(moves.shape[0]):
        choice.move, choice.index = moves[i, 0], moves[i, 1]
        if moves[i, 2]:
            board.slots(item, step)
            step[SLOTS] = choice.index
            steps.add(step, item.sentence)
            valid.resize(valid.size() + board.rules.classes.size)
            board.rules.mark_valid(&item.c, &valid[valid.size() - board.rules.classes.size])
        board.make(item, choice)
    return 0
