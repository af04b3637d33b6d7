# cython: boundscheck=False, wraparound=False
"""The training walk of the network: native search and oracle, with products that PyTorch has computed.

A walk records every decision: the words and labels in the slots, the valid classes and those that the oracle accepts.
PyTorch then computes the loss of all decisions of a batch at once.
"""

import numpy as np

from libc.string cimport memcpy
from libcpp.vector cimport vector

from gardenpath.network.slots cimport FIRST_ROW
from gardenpath.oracles.base cimport Oracle
from gardenpath.parsing.hypothesis cimport Choice, Hypothesis
from gardenpath.parsing.scorer cimport EncodedBatch, Session, WordBatch
from gardenpath.systems.base cimport TransitionSystem
from gardenpath.systems.classes cimport Classes

from gardenpath.errors import UsageError

cdef enum:
    MOST_DECISIONS = 4          # for each word and the root, in a walk that follows errors and reorders words

cdef enum Mark:
    INVALID
    VALID
    ACCEPTED


cdef class TableBatch(WordBatch):
    """Sentences with the products of their words."""

    def __init__(self, list sentences, const float[:, ::1] table):
        WordBatch.__init__(self, sentences)
        self.table = table


cdef class GivenScorer(SlotScorer):
    """A scorer whose products are given from outside. To parse with it, set `products`."""

    def __init__(self, TransitionSystem system, Classes classes, int hidden_size, products=None):
        SlotScorer.__init__(self, system, classes, hidden_size)
        self.products = products

    def set_parameters(self, labels, bias, weights, class_bias):
        """Set the parameters of the last layers, float32 arrays."""
        self.set_layers(labels, bias, weights, class_bias)

    cpdef EncodedBatch encode(self, list sentences):
        return WordBatch(sentences) if self.products is None else TableBatch(sentences, self.products(sentences))

    cdef Session open(self, EncodedBatch batch, int slots, bint is_contiguous):
        cdef SlotSession session = SlotSession(self, batch)
        cdef TableBatch given
        cdef int i, row = FIRST_ROW
        if isinstance(batch, TableBatch):
            given = batch
            for i in range(batch.size):
                session.first_rows[i] = row
                row += batch.length(i)
            self.require_table(given.table, row)
            session.table = &given.table[0, 0]
        return session

    cdef int require_table(self, const float[:, ::1] table, int rows) except -1:
        """Raise an error if a table does not have this number of rows, and a column for each slot and hidden unit."""
        if table.shape[1] != self.slots * self.hidden_size:
            raise UsageError(f"the table has {table.shape[1]} columns; there must be one for each slot and hidden unit")
        if table.shape[0] != rows:
            raise UsageError(f"the table has {table.shape[0]} rows, not {rows}")
        return 0


cdef class NetworkWalk(TrainingWalk):
    """A treebank in memory, with its oracle and the records of a batch."""

    def __init__(self, GivenScorer scorer, Oracle oracle, list sentences, list trees, **_):
        self.scorer = scorer
        self.slots = <SlotSession?>self.session

    def record(self, order, const float[:, ::1] table, double explore, watch=None):
        """Walk through some trees and return the records of the decisions.

        `table` has the products of the words of these sentences, in this order, after those of a missing word and of
        the root. The result has four arrays: rows of the table and rows of the label table, by row and slot; the number
        of the decision, by row; and marks, by row and class. Most decisions have one row; deep transitions have their
        own rows.
        """
        cdef int number, row = FIRST_ROW
        for number in order:
            if not 0 <= number < self.gold.size:
                raise UsageError(f"sentences are numbered from 0 to {self.gold.size - 1}")
            self.slots.first_rows[number] = row
            row += self.batch.length(number)
        self.scorer.require_table(table, row)
        self.slots.table = &table[0, 0]
        self.words.clear()
        self.labels.clear()
        self.decisions.clear()
        self.marks.clear()
        self.decision_count = self.mistakes = 0
        self.train(order, explore, watch)
        slots, columns = self.scorer.slots, self.scorer.columns
        marks = np.empty(self.marks.size(), np.int8)
        _copy(self.marks.data(), self.marks.size(), marks)
        return (
            _integers(&self.words).reshape(-1, slots), _integers(&self.labels).reshape(-1, slots),
            _integers(&self.decisions), marks.reshape(-1, columns),
        )

    @property
    def accuracy(self):
        """The numbers of correct decisions and of decisions in the last batch."""
        return self.decision_count - self.mistakes, self.decision_count

    cdef int walk(self, int number) except -1 nogil:
        self.first_decision = self.decision_count
        return TrainingWalk.walk(self, number)

    cdef bint _explores(self) noexcept nogil:
        """Follow no more errors after many decisions in a system that reorders words, where they could go on and on."""
        cdef int decisions = self.decision_count - self.first_decision
        cdef bint is_long = decisions > MOST_DECISIONS * (self.gold.trees[self.h.sentence].n + 1)
        return TrainingWalk._explores(self) and not (is_long and self.scorer.system.reorders)

    cdef int learn(self, Choice wanted, Choice rival, bint is_right) except -1 nogil:
        cdef int columns = self.scorer.columns, slots = self.scorer.slots
        cdef size_t first = self.marks.size()
        cdef int read = self.slots.row_count * slots
        self.words.insert(self.words.end(), self.slots.words.begin(), self.slots.words.begin() + read)
        self.labels.insert(self.labels.end(), self.slots.word_labels.begin(), self.slots.word_labels.begin() + read)
        self.marks.resize(first + self.slots.row_count * columns)
        self.decisions.resize(self.decisions.size() + self.slots.row_count, self.decision_count)
        self._mark(&self.h, self.marks.data() + first)
        self.decision_count += 1
        self.mistakes += not is_right
        return 0

    cdef int _mark(self, Hypothesis* h, int8_t* marks) except -1 nogil:
        """Mark the classes of a decision in all its rows."""
        cdef int i, j, move, group, label
        cdef int8_t* row
        for i in range(h.move_count):
            move = h.moves[i]
            group = self.classes.group(&h.c, move)
            label = self.judge.label_for(h, &self.gold.trees[h.sentence], move)
            row = marks + self.slots.row_of(move) * self.scorer.columns
            for j in range(self.classes.first[group], self.classes.end[group]):
                row[j] = ACCEPTED if self.judge.is_right(i, j, label) else VALID
        return 0


cdef object _integers(const vector[int]* values):
    """Return the values as an array."""
    result = np.empty(values.size(), np.int32)
    _copy(values.data(), values.size() * sizeof(int), result.view(np.int8))
    return result


cdef int _copy(const void* source, size_t size, signed char[::1] target) except -1:
    """Copy bytes into an array."""
    if size:
        memcpy(&target[0], source, size)
    return 0
