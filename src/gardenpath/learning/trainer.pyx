"""Online training: parse, ask the oracle, learn from the difference (Goldberg, Sartorio and Satta, TACL 2014, algorithm 2)."""

from array import array

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free

from gardenpath.core.configuration cimport Configuration, NONE
from gardenpath.core.encoding cimport Batch
from gardenpath.core.gold cimport Gold, fill_gold, release_gold
from gardenpath.core.hashing cimport mix
from gardenpath.core.moves cimport has
from gardenpath.learning.weights cimport GrowingWeights
from gardenpath.oracles.base cimport Oracle
from gardenpath.search.greedy cimport Choice, GreedyParser, Workspace


cdef class Trainer:
    """A parser with growing weights, its oracle, and the treebank in memory."""

    cdef readonly GreedyParser parser
    cdef readonly int64_t steps            # decisions so far
    cdef readonly int64_t mistakes
    cdef Oracle oracle
    cdef Batch batch
    cdef Gold* gold
    cdef Py_ssize_t gold_count
    cdef Workspace space
    cdef uint64_t random                   # the state of the generator that exploration draws from
    cdef double explore                    # how likely a wrong prediction is followed

    def __cinit__(self, GreedyParser parser, Oracle oracle, list sentences, list trees, uint64_t seed):
        cdef int i
        cdef int[::1] heads, labels
        ids = {label: number for number, label in enumerate(parser.classes.labels)}
        self.parser = parser
        self.oracle = oracle
        self.batch = parser.encoder.encode(sentences)
        self.space = Workspace(parser.classes.size)
        self.random = mix(seed)
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
        cdef Py_ssize_t i
        self.explore = explore
        with nogil:
            for i in range(numbers.shape[0]):
                self._learn(numbers[i])

    def freeze(self):
        """The averaged weights so far."""
        return (<GrowingWeights>self.parser.weights).freeze(max(self.steps, 1))

    cdef int _learn(self, int number) except -1 nogil:
        cdef Configuration* c = &self.space.c
        cdef const Gold* gold = &self.gold[number]
        cdef Choice predicted, wanted
        cdef unsigned permitted, accepted
        cdef bint right
        self.parser.begin(self.space, &self.batch.sentences[number])
        while not self.parser.system.is_terminal(c):
            permitted = self.parser.system.permitted(c)
            if self.parser.only_choice(c, permitted, &predicted):
                self.parser.system.apply_move(c, predicted.move, predicted.label)
                continue
            self.parser.look(self.space, &self.batch.sentences[number])
            predicted = self.parser.best(c, permitted, self.space.scores)
            accepted = self.oracle.accepted(c, gold, permitted)
            wanted = self._best_accepted(c, gold, accepted)
            right = self._is_accepted(c, gold, accepted, predicted)
            self.steps += 1
            if not right:
                self.mistakes += 1
                (<GrowingWeights>self.parser.weights).update(self.space.keys, self.space.key_count, wanted.index, predicted.index, self.steps)
            self.parser.make(self.space, predicted if right or self._explores() else wanted)
        return 0

    cdef bint _is_accepted(self, const Configuration* c, const Gold* gold, unsigned accepted, Choice choice) noexcept nogil:
        """Is it one of the oracle's moves and, where it builds a gold arc and chooses the label, has it the gold label?"""
        return has(accepted, choice.move) and (choice.label == NONE or self._label(c, gold, choice.move) in (NONE, choice.label))

    cdef int _label(self, const Configuration* c, const Gold* gold, int move) noexcept nogil:
        """The label that the move must have: that of the gold arc it builds; NONE if any will do."""
        cdef int child
        if not self.parser.system.builds_arc(c, move):
            return NONE
        child = self.parser.system.arc_child(c, move)
        return gold.labels[child] if gold.heads[child] == self.parser.system.arc_head(c, move) else NONE

    cdef Choice _best_accepted(self, const Configuration* c, const Gold* gold, unsigned accepted) noexcept nogil:
        """The best-scoring class among those accepted."""
        cdef const int32_t* scores = self.space.scores
        cdef Choice choice
        cdef int i, j, move, group, label
        choice.move = choice.label = choice.index = NONE
        for i in range(self.parser.system.available_count):
            move = self.parser.system.available[i]
            if not has(accepted, move):
                continue
            group = self.parser.classes.group(c, move)
            label = self._label(c, gold, move)
            for j in range(self.parser.classes.first[group], self.parser.classes.end[group]):
                if label != NONE and self.parser.classes.label_of[j] not in (NONE, label):
                    continue
                if choice.index == NONE or scores[j] > scores[choice.index]:
                    choice.index = j
                    choice.move = move
        choice.label = self.parser.classes.label_of[choice.index]
        return choice

    cdef bint _explores(self) noexcept nogil:
        if self.explore >= 1 or self.explore <= 0:
            return self.explore >= 1
        self.random += <uint64_t>0x9E3779B97F4A7C15
        return (mix(self.random) >> 11) * (1.0 / 9007199254740992.0) < self.explore
