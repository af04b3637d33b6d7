"""Scorers written in Python: slow, for teaching and for experiments."""

from libc.math cimport isfinite
from libcpp.vector cimport vector

from gardenpath.core.configuration cimport NONE
from gardenpath.parsing.hypothesis cimport Hypothesis
from gardenpath.parsing.scorer cimport EncodedBatch, Scorer, Scores, Session, WordBatch

from gardenpath.errors import UsageError


cdef class PythonScorer(Scorer):
    """Base class of a scorer in Python. A subclass defines `score`.

    It has no memory: the score of a transition depends on the sentence and the configuration only.
    """

    def score(self, words, configuration, transitions):
        """Return a number for each of the transitions, pairs of name and label (None for a transition without one)."""
        raise UsageError(f"{type(self).__name__} does not define `score`")

    cdef Session open(self, EncodedBatch batch, int slots, bint is_contiguous):
        return PythonSession(self, batch)


cdef class PythonSession(Session):
    """Asks a Python scorer about one configuration at a time."""

    cdef PythonScorer scorer
    cdef WordBatch batch
    cdef vector[double] values             # by transition number and class

    def __cinit__(self, PythonScorer scorer, WordBatch batch):
        self.rows = 1
        self.scorer = scorer
        self.batch = batch

    cdef int score(self, Hypothesis** hypotheses, int count) except -1 nogil:
        with gil:
            self._score(hypotheses[0])
        return 0

    cdef int _score(self, const Hypothesis* h) except -1:
        cdef int i, index, group, size = self.scorer.classes.size
        transitions, places = [], []
        for i in range(h.move_count):
            group = self.scorer.classes.group(&h.c, h.moves[i])
            name = self.scorer.system.name_of(&h.c, h.moves[i])
            for index in range(self.scorer.classes.first[group], self.scorer.classes.end[group]):
                label = self.scorer.classes.label_of[index]
                transitions.append((name, None if label == NONE else self.scorer.classes.labels[label]))
                places.append(i * size + index)
        scores = self.scorer.score(self.batch.sentences[h.sentence], self.scorer.classes.snapshot(&h.c), transitions)
        if len(scores) != len(transitions):
            name = type(self.scorer).__name__
            raise UsageError(f"{name} gave {len(scores)} scores for {len(transitions)} transitions")
        self.values.assign(h.move_count * size, 0)
        for place, value in zip(places, scores):
            if not isfinite(value):
                raise UsageError(f"{type(self.scorer).__name__} gave the score {value}, which is not a finite number")
            self.values[<size_t>place] = value
        return 0

    cdef Scores scores_of(self, const Hypothesis* h, int move) noexcept nogil:
        cdef Scores scores
        cdef int i = 0
        while i < h.move_count - 1 and h.moves[i] != move:
            i += 1
        scores.whole = NULL
        scores.real = &self.values[i * self.scorer.classes.size]
        return scores
