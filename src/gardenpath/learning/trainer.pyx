"""Online training: parse, ask the oracle, learn from the difference (Goldberg, Sartorio and Satta, TACL 2014, algorithm 2)."""

from array import array

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free

from gardenpath.core.configuration cimport Configuration, NONE
from gardenpath.core.encoding cimport Batch
from gardenpath.core.gold cimport Gold, fill_gold, release_gold
from gardenpath.core.hashing cimport mix
from gardenpath.core.moves cimport has
from gardenpath.learning.growing cimport GrowingWeights
from gardenpath.oracles.base cimport Oracle
from gardenpath.search.greedy cimport Choice, GreedyParser, Workspace

from gardenpath.errors import UsageError


cdef class Trainer:
    """A parser with growing weights, its oracle, and the treebank in memory."""

    cdef readonly GreedyParser parser
    cdef readonly int64_t steps            # decisions so far
    cdef readonly int64_t mistakes
    cdef GrowingWeights weights
    cdef Oracle oracle
    cdef Batch batch
    cdef Gold* gold
    cdef Py_ssize_t gold_count
    cdef Workspace space
    cdef uint64_t random                   # the state of the generator that exploration draws from
    cdef double explore                    # how likely a wrong prediction is followed
    cdef int32_t margin                    # how far ahead a right decision must be to need no update

    def __cinit__(self, GreedyParser parser, Oracle oracle, list sentences, list trees, uint64_t seed, int margin=0):
        cdef int i
        cdef int[::1] heads, labels
        ids = {label: number for number, label in enumerate(parser.classes.labels)}
        self.parser = parser
        self.weights = <GrowingWeights?>parser.weights
        self.oracle = oracle
        self.batch = parser.encoder.encode(sentences)
        self.space = Workspace(parser.classes.size)
        self.random = mix(seed)
        self.margin = margin
        self.gold = <Gold*>calloc(len(trees) + 1, sizeof(Gold))
        if self.gold == NULL:
            raise MemoryError("no memory for the gold trees")
        self.gold_count = len(trees)
        for i, (tree_heads, tree_labels) in enumerate(trees):
            heads = array("i", tree_heads)
            labels = array("i", [ids[label] for label in tree_labels])
            fill_gold(&self.gold[i], &heads[0], &labels[0], <int>len(heads))

    def __dealloc__(self):
        cdef Py_ssize_t i
        for i in range(self.gold_count):
            release_gold(&self.gold[i])
        free(self.gold)

    def train(self, order, double explore):
        """Learn from the sentences of these numbers, in this order. With probability `explore` a wrong prediction is followed, else the gold move."""
        cdef int[::1] numbers = array("i", order)
        if any(not 0 <= number < self.batch.size for number in numbers):
            raise UsageError(f"sentences are numbered from 0 to {self.batch.size - 1}")
        cdef Py_ssize_t i
        self.explore = explore
        with nogil:
            for i in range(numbers.shape[0]):
                self._learn(numbers[i])

    def freeze(self):
        """The averaged weights so far."""
        return self.weights.freeze(max(self.steps, 1))

    cdef int _learn(self, int number) except -1 nogil:
        cdef Configuration* c = &self.space.c
        cdef const int32_t* scores = self.space.scores
        cdef Choice only, wanted, rival
        cdef unsigned permitted
        cdef bint right
        self.parser.begin(self.space, &self.batch.sentences[number])
        while not self.parser.system.is_terminal(c):
            permitted = self.parser.system.permitted(c)
            if self.parser.only_choice(c, permitted, &only):
                self.parser.system.apply_move(c, only.move, only.label)
                continue
            self.parser.look(self.space, &self.batch.sentences[number])
            right = self._judge(c, &self.gold[number], permitted, &wanted, &rival)
            self.steps += 1
            self.mistakes += not right
            if not right or (rival.index != NONE and scores[wanted.index] - scores[rival.index] < self.margin):
                self.weights.update(self.space.keys, self.space.key_count, wanted.index, rival.index, self.steps)
            self.parser.make(self.space, wanted if right or not self._explores() else rival)
        return 0

    cdef bint _judge(self, const Configuration* c, const Gold* gold, unsigned permitted, Choice* wanted, Choice* rival) noexcept nogil:
        """Find the best-scoring class that the oracle accepts and the best-scoring one that it does not; is the former the parser's choice?

        A move that builds a gold arc is accepted with the gold label only; one that builds another arc, with any.
        """
        cdef unsigned accepted = self.oracle.accepted(c, gold, permitted)
        cdef const int32_t* scores = self.space.scores
        cdef Choice* best
        cdef int i, j, move, group, label
        cdef bint right = True
        wanted.index = rival.index = NONE
        for i in range(self.parser.system.available_count):
            move = self.parser.system.available[i]
            if not has(permitted, move):
                continue
            group = self.parser.classes.group(c, move)
            label = self._label(c, gold, move)
            for j in range(self.parser.classes.first[group], self.parser.classes.end[group]):
                best = wanted if has(accepted, move) and (label == NONE or self.parser.classes.label_of[j] in (NONE, label)) else rival
                if best.index == NONE or scores[j] > scores[best.index]:
                    # The parser takes the first of the best: the two are compared as they are met.
                    right = (best == wanted) if _leads(scores, j, wanted.index, rival.index) else right
                    best.index = j
                    best.move = move
                    best.label = self.parser.classes.label_of[j]
        return right

    cdef int _label(self, const Configuration* c, const Gold* gold, int move) noexcept nogil:
        """The label that the move must have: that of the gold arc it builds; NONE if any will do."""
        cdef int child
        if not self.parser.system.builds_arc(c, move):
            return NONE
        child = self.parser.system.arc_child(c, move)
        return gold.labels[child] if gold.heads[child] == self.parser.system.arc_head(c, move) else NONE

    cdef bint _explores(self) noexcept nogil:
        if self.explore >= 1 or self.explore <= 0:
            return self.explore >= 1
        self.random += <uint64_t>0x9E3779B97F4A7C15
        return (mix(self.random) >> 11) * (1.0 / 9007199254740992.0) < self.explore


cdef inline bint _leads(const int32_t* scores, int index, int first, int second) noexcept nogil:
    """Does the class score higher than both others (NONE: there is none)?"""
    return (first == NONE or scores[index] > scores[first]) and (second == NONE or scores[index] > scores[second])
