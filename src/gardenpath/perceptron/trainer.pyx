"""Online training of the perceptron: the averaged perceptron learns from each decision of the training walk."""

from libc.stdint cimport uint64_t

from gardenpath.core.configuration cimport NONE
from gardenpath.features.encoding cimport Batch, EncodedSentence
from gardenpath.oracles.base cimport Oracle
from gardenpath.perceptron.growing cimport GrowingWeights
from gardenpath.perceptron.scorer cimport Perceptron, PerceptronSession

from gardenpath.errors import UsageError


cdef class PerceptronTrainer(TrainingWalk):
    """A perceptron with growing weights, its oracle, and the treebank in memory."""

    def __init__(
        self, Perceptron scorer, Oracle oracle, list sentences, list trees, bint is_contiguous=True, *,
        uint64_t seed, double margin=0, **_,
    ):
        self.scorer = scorer
        self.weights = <GrowingWeights?>scorer.weights
        self.scoring = <PerceptronSession?>self.session
        self.margin = margin
        self.reseed(seed)

    def retag(self, order, Batch tags, const int[::1] numbers, const int[::1] first):
        """Give the words of some sentences other tags.

        `tags` has the values of all tags (`Perceptron.encode_tags`). The words of sentence i get the tags of the
        numbers `numbers[first[i]:]`.
        """
        cdef EncodedSentence* sentence
        cdef int i, word
        if tags.size != 1 or first.shape[0] < self.batch.size:
            raise UsageError("the tags do not fit the sentences")
        if not all(0 <= number < self.batch.size for number in order):
            raise UsageError("the tags do not fit the sentences")
        for i in order:
            sentence = &self.scoring.batch.sentences[i]
            for word in range(1, sentence.n + 1):
                self.scorer.encoder.take_tag(sentence, word, &tags.sentences[0], numbers[first[i] + word - 1])

    def freeze(self, double prune=0):
        """Return the averaged weights so far, without the share `prune` of the smallest."""
        return self.weights.freeze(max(self.steps, 1), prune)

    cdef int learn(self, Choice wanted, Choice rival, bint is_right) except -1 nogil:
        """Reward one class and punish the other, each for the features that it saw.

        If one of them is deep, features that both saw count as updated twice.
        """
        self.steps += 1
        self.mistakes += not is_right
        if is_right and (rival.index == NONE or wanted.score - rival.score >= self.margin):
            return 0
        self.scoring.pairs.forget()
        if not self.system.is_deep(&self.h.c, wanted.move) and not self.system.is_deep(&self.h.c, rival.move):
            return self.weights.update(self.scoring.keys, self.scoring.key_count, wanted.index, rival.index, self.steps)
        self._update_one(wanted.move, wanted.index, NONE)
        self._update_one(rival.move, NONE, rival.index)
        return 0

    cdef int _update_one(self, int move, int good, int bad) except -1 nogil:
        cdef int count = self.scoring.extract(&self.h, move)
        return self.weights.update(self.scoring.deep_keys, count, good, bad, self.steps)
