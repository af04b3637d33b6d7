# cython: boundscheck=False, wraparound=False
"""The training walk: predict, consult the oracle, learn from the difference, continue.

This is algorithm 2 of Goldberg, Sartorio and Satta (TACL 2014).
"""

from array import array

from libc.stdlib cimport calloc, free

from gardenpath.core.configuration cimport NONE
from gardenpath.core.gold cimport fill_gold, release_gold
from gardenpath.core.hashing cimport draw, mix
from gardenpath.oracles.base cimport UNKNOWN, Oracle
from gardenpath.parsing.hypothesis cimport release_hypothesis
from gardenpath.parsing.scorer cimport EncodedBatch, Scorer, Scores, score_at
from gardenpath.systems.classes cimport Classes

from gardenpath.errors import UsageError


cdef class GoldTrees:
    """The gold trees of a treebank in memory: pairs of heads and labels."""

    def __cinit__(self, Classes classes, list trees):
        cdef int i
        cdef int[::1] heads, labels
        ids = {label: number for number, label in enumerate(classes.labels)}
        self.trees = <Gold*>calloc(len(trees) + 1, sizeof(Gold))
        if self.trees == NULL:
            raise MemoryError("no memory for the gold trees")
        self.size = <int>len(trees)
        for i, (tree_heads, tree_labels) in enumerate(trees):
            if not tree_heads or len(tree_heads) != len(tree_labels):
                raise UsageError(f"tree {i} needs a head and a label for each of its words")
            if not 0 <= min(tree_heads) <= max(tree_heads) <= len(tree_heads):
                raise UsageError(f"tree {i} has a head beyond its {len(tree_heads)} words")
            heads = array("i", tree_heads)
            labels = array("i", [ids[label] for label in tree_labels])
            fill_gold(&self.trees[i], &heads[0], &labels[0], <int>len(heads))

    def __dealloc__(self):
        cdef int i
        for i in range(self.size):
            release_gold(&self.trees[i])
        free(self.trees)


cdef class TrainingWalk(Search):
    """A walk through the gold trees of a batch. Subclasses define `learn` or `made`.

    `labels_all_arcs` is explained in `parsing.judge`.
    """

    def __cinit__(
        self, Scorer scorer, Oracle oracle, list sentences, list trees, bint is_contiguous=True, *,
        bint labels_all_arcs=False, **_,
    ):
        cdef EncodedBatch batch = scorer.encode(sentences)
        if oracle.system is not scorer.system or oracle.kind == "exact":
            problem = f"{scorer.system!r} cannot be trained with the {oracle.kind} oracle of {oracle.system!r}"
            raise UsageError(f"{problem}; take oracles.of(system, kind)")
        if [len(sentence) for sentence in sentences] != [len(heads) for heads, _ in trees]:
            raise UsageError("every sentence needs a tree with a head and a label for each of its words")
        self.prepare(scorer, batch, scorer.open(batch, 1, is_contiguous), False)
        self.judge = Judge(oracle, scorer.classes, labels_all_arcs)
        self.gold = GoldTrees(scorer.classes, trees)

    def __dealloc__(self):
        release_hypothesis(&self.h)

    def reseed(self, uint64_t seed):
        """Set the random seed of exploration and of the oracle."""
        self.random = mix(seed)
        self.judge.oracle.reseed(seed)

    def train(self, order, double explore, watch=None):
        """Walk through the trees with these numbers, in this order.

        A wrong prediction is followed with probability `explore`; otherwise the gold transition is followed. `watch` is
        called with every configuration and the gold heads; an exception from it ends the training.
        """
        cdef int[::1] numbers = array("i", order)
        cdef Py_ssize_t i
        if any(not 0 <= number < self.gold.size for number in numbers):
            raise UsageError(f"sentences are numbered from 0 to {self.gold.size - 1}")
        self.explore = explore
        self.watch = watch
        self.is_watched = watch is not None
        with nogil:
            for i in range(numbers.shape[0]):
                self.session.begin(&numbers[i], 1)
                self.walk(numbers[i])

    cdef int walk(self, int number) except -1 nogil:
        """Walk through one tree."""
        cdef Hypothesis* h = &self.h
        cdef const Gold* gold = &self.gold.trees[number]
        cdef Choice choice, wanted, rival
        cdef int loss = 0
        cdef bint is_right
        self.start(h, number)
        while not h.is_finished:
            if self.is_watched:
                self.show(gold)
            self.find_forced(h)
            if h.is_forced:
                self.made(h.forced, False)
                self.take(h, h.forced, False)
                continue
            self.score(h)
            loss = self.judge.look(h, gold, loss)
            is_right = self.compare(gold, &wanted, &rival)
            self.learn(wanted, rival, is_right)
            choice = wanted
            if not is_right and self._explores() and self.judge.oracle.may_follow(&h.c, rival.move):
                choice = rival
            if not self.judge.accepts(h, choice.move):
                loss = UNKNOWN
            self.made(choice, True)
            h.front_label = self.front_label(h, choice.move)
            self.take(h, choice, True)
        return 0

    cdef int learn(self, Choice wanted, Choice rival, bint is_right) except -1 nogil:
        """Learn from a decision.

        `wanted` is the best class that the oracle accepts, `rival` the best other one; `is_right` is whether the scorer
        chose `wanted`.
        """
        return 0

    cdef int made(self, Choice choice, bint is_scored) except -1 nogil:
        """Called before each transition is made."""
        return 0

    cdef int show(self, const Gold* gold) except -1 with gil:
        self.watch(self.classes.snapshot(&self.h.c), [gold.heads[word] for word in range(1, gold.n + 1)])
        return 0

    cdef bint compare(self, const Gold* gold, Choice* wanted, Choice* rival) noexcept nogil:
        """Find the best-scoring class that the oracle accepts and the best-scoring one that it does not.

        Return whether the former is the scorer's choice.
        """
        cdef Hypothesis* h = &self.h
        cdef Scores scores
        cdef Choice* best
        cdef double score
        cdef int i, j, move, group, label
        cdef bint is_right = True
        wanted.index = rival.index = NONE
        for i in range(h.move_count):
            move = h.moves[i]
            scores = self.session.scores_of(h, move)
            group = self.classes.group(&h.c, move)
            label = self.judge.label_for(h, gold, move)
            for j in range(self.classes.first[group], self.classes.end[group]):
                best = wanted if self.judge.is_right(i, j, label) else rival
                score = score_at(scores, j)
                if best.index == NONE or score > best.score:
                    # Search breaks ties by order, so compare the two in the order of the classes.
                    is_right = (best == wanted) if _leads(score, wanted) and _leads(score, rival) else is_right
                    best.index = j
                    best.move = move
                    best.label = self.classes.label_of[j]
                    best.score = score
        return is_right

    cdef bint _explores(self) noexcept nogil:
        if self.explore >= 1 or self.explore <= 0:
            return self.explore >= 1
        return draw(&self.random) < self.explore


cdef inline bint _leads(double score, const Choice* choice) noexcept nogil:
    """Whether a score is higher than that of a choice, or there is no choice yet."""
    return choice.index == NONE or score > choice.score
