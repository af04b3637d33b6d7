"""Online training: parse, ask the oracle, learn from the difference (Goldberg, Sartorio and Satta, TACL 2014, algorithm 2)."""

from array import array

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport calloc, free

from gardenpath.core.configuration cimport Configuration, NONE
from gardenpath.features.encoding cimport EncodedSentence
from gardenpath.core.gold cimport Gold, fill_gold, release_gold
from gardenpath.core.hashing cimport draw, mix
from gardenpath.perceptron.growing cimport GrowingWeights
from gardenpath.perceptron.judge cimport Judge
from gardenpath.oracles.base cimport UNKNOWN, Oracle
from gardenpath.search.greedy cimport Choice, GreedyParser, Workspace

from gardenpath.errors import UsageError


cdef class Trainer:
    """A parser with growing weights, its oracle, and the treebank in memory."""

    def __cinit__(self, GreedyParser parser, Oracle oracle, list sentences, list trees, uint64_t seed, int margin=0, *_):
        cdef int i
        cdef int[::1] heads, labels
        if oracle.system is not parser.system or oracle.kind == "exact":
            raise UsageError(f"{parser.system!r} cannot be trained with the {oracle.kind} oracle of {oracle.system!r}; take oracles.of(system, kind)")
        if [len(sentence) for sentence in sentences] != [len(tree[0]) for tree in trees if len(tree[0]) == len(tree[1])]:
            raise UsageError("every sentence needs a tree with a head and a label for each of its words")
        ids = {label: number for number, label in enumerate(parser.classes.labels)}
        self.parser = parser
        self.weights = <GrowingWeights?>parser.weights
        self.judge = Judge(parser, oracle)
        self.batch = parser.encoder.encode(sentences)
        self.space = Workspace(parser.classes.size)
        self.random = mix(seed)
        oracle.reseed(seed)
        self.margin = margin
        self.gold = <Gold*>calloc(len(trees) + 1, sizeof(Gold))
        if self.gold == NULL:
            raise MemoryError("no memory for the gold trees")
        self.gold_count = len(trees)
        for i, (tree_heads, tree_labels) in enumerate(trees):
            heads = array("i", tree_heads)
            if not 0 <= min(tree_heads) <= max(tree_heads) <= len(heads):
                raise UsageError(f"tree {i} has a head beyond its {len(heads)} words")
            labels = array("i", [ids[label] for label in tree_labels])
            fill_gold(&self.gold[i], &heads[0], &labels[0], <int>len(heads))

    def __dealloc__(self):
        cdef Py_ssize_t i
        for i in range(self.gold_count):
            release_gold(&self.gold[i])
        free(self.gold)

    def train(self, order, double explore, watch=None):
        """Learn from the sentences of these numbers, in this order. With probability `explore` a wrong prediction is followed, else the gold move.

        `watch`, if there is one, is called with every configuration on the way and the gold heads; what it raises ends the training.
        """
        cdef int[::1] numbers = array("i", order)
        if any(not 0 <= number < self.batch.size for number in numbers):
            raise UsageError(f"sentences are numbered from 0 to {self.batch.size - 1}")
        cdef Py_ssize_t i
        self.explore = explore
        self.watch = watch
        self.is_watched = watch is not None
        with nogil:
            for i in range(numbers.shape[0]):
                self.learn(numbers[i])

    def retag(self, order, Batch tags, const int[::1] numbers, const int[::1] first):
        """Give the words of some sentences other tags: the words of sentence i have the tags `numbers[first[i]:]`, which stand in this order in `tags`."""
        cdef EncodedSentence* sentence
        cdef int i, word
        if tags.size != 1 or first.shape[0] < self.batch.size or not all(0 <= number < self.batch.size for number in order):
            raise UsageError("tags do not fit the sentences")
        for i in order:
            sentence = &self.batch.sentences[i]
            for word in range(1, sentence.n + 1):
                self.parser.encoder.take_tag(sentence, word, &tags.sentences[0], numbers[first[i] + word - 1])

    def freeze(self, double prune=0):
        """The averaged weights so far, without a share of the smallest."""
        return self.weights.freeze(max(self.steps, 1), prune)

    cdef int learn(self, int number) except -1 nogil:
        cdef Configuration* c = &self.space.c
        cdef const EncodedSentence* sentence = &self.batch.sentences[number]
        cdef Choice choice, wanted, rival
        cdef int loss = 0
        cdef bint right
        self.parser.begin(self.space, sentence)
        while not self.parser.system.is_terminal(c):
            if self.is_watched:
                self.show(&self.gold[number])
            if self.parser.only_choice(self.space, &choice):
                self.parser.system.apply_move(c, choice.move, choice.label)
                continue
            self.parser.look(self.space, sentence)
            loss = self.judge.look(self.space, &self.gold[number], loss)
            right = self.compare(sentence, &self.gold[number], &wanted, &rival)
            self.steps += 1
            self.mistakes += not right
            if not right or (rival.index != NONE and wanted.score - rival.score < self.margin):
                self._update(sentence, wanted, rival)
            choice = rival if not right and self._explores() and self.judge.oracle.may_follow(c, rival.move) else wanted
            if not self.judge.accepts(self.space, choice.move):
                loss = UNKNOWN
            self.parser.make(self.space, choice)
        return 0

    cdef int show(self, const Gold* gold) except -1 with gil:
        self.watch(self.parser.snapshot(self.space), [gold.heads[word] for word in range(1, gold.n + 1)])
        return 0

    cdef bint compare(self, const EncodedSentence* sentence, const Gold* gold, Choice* wanted, Choice* rival) noexcept nogil:
        """Find the best-scoring class that the oracle accepts and the best-scoring one that it does not; is the former the parser's choice?

        A move that builds a gold arc is accepted with the gold label only; one that builds another arc, with any.
        """
        cdef const Configuration* c = &self.space.c
        cdef const int32_t* scores
        cdef Choice* best
        cdef int i, j, move, group, label
        cdef bint right = True
        wanted.index = rival.index = NONE
        for i in range(self.space.move_count):
            move = self.space.moves[i]
            scores = self.parser.scores_of(self.space, sentence, move)
            group = self.parser.classes.group(c, move)
            label = self.judge.label_for(c, gold, move)
            for j in range(self.parser.classes.first[group], self.parser.classes.end[group]):
                best = wanted if self.judge.is_right(i, j, label) else rival
                if best.index == NONE or scores[j] > best.score:
                    # The parser takes the first of the best: the two are compared as they are met.
                    right = (best == wanted) if _leads(scores[j], wanted) and _leads(scores[j], rival) else right
                    best.index = j
                    best.move = move
                    best.label = self.parser.classes.label_of[j]
                    best.score = scores[j]
        return right

    cdef int _update(self, const EncodedSentence* sentence, Choice wanted, Choice rival) except -1 nogil:
        """Reward the one and punish the other, each for the features that it saw; if one is deep, those that both saw count as updated twice."""
        cdef const Configuration* c = &self.space.c
        self.space.pairs.forget()
        if not self.parser.system.is_deep(c, wanted.move) and not self.parser.system.is_deep(c, rival.move):
            return self.weights.update(self.space.keys, self.space.key_count, wanted.index, rival.index, self.steps)
        self._update_one(sentence, wanted.move, wanted.index, NONE)
        self._update_one(sentence, rival.move, NONE, rival.index)
        return 0

    cdef int _update_one(self, const EncodedSentence* sentence, int move, int good, int bad) except -1 nogil:
        cdef int count = self.parser.extractor.extract(&self.space.c, move, sentence, self.space.deep_keys)
        return self.weights.update(self.space.deep_keys, count, good, bad, self.steps)

    cdef bint _explores(self) noexcept nogil:
        if self.explore >= 1 or self.explore <= 0:
            return self.explore >= 1
        return draw(&self.random) < self.explore


cdef inline bint _leads(int32_t score, const Choice* choice) noexcept nogil:
    """Is the score higher than that of a choice (or is there none)?"""
    return choice.index == NONE or score > choice.score
