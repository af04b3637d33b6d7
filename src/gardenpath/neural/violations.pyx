"""Maximum violation (Huang, Fayong and Guo, NAACL 2012).

This is the step where the gold derivation of a sentence is furthest behind the best derivation in a beam.
"""

from libcpp.vector cimport vector

from gardenpath.parsing.beam cimport Beam, average
from gardenpath.parsing.hypothesis cimport Choice, Hypothesis
from gardenpath.parsing.scorer cimport Scorer, score_at

import numpy as np


cdef class Violations(Beam):
    """A beam search that also follows the gold derivation of each sentence."""

    cdef vector[vector[Choice]] choices    # by sentence: the scored transitions of the gold derivation
    cdef vector[Hypothesis*] gold          # by sentence
    cdef vector[double] worst              # by sentence: the largest distance of the gold derivation so far
    cdef vector[int] limits                # by sentence: the number of scored transitions at that distance

    cdef int follow(self) except -1 nogil:
        """Run the search and the gold derivations to the end."""
        cdef size_t i
        for i in range(self.gold.size()):
            self.start(self.gold[i], self.beams[i][0].sentence)
            self.run_ahead(self.gold[i])
        while True:
            self.list_waiting()
            if not self.waiting.size():
                return 0
            self.scored = 0
            self.score_more()
            for i in range(self.gold.size()):
                if not self.gold[i].is_finished:
                    self._take_gold(self.gold[i], self.choices[i][self.gold[i].length])
            self.expand()
            for i in range(self.gold.size()):
                self._compare(i)

    cdef void list_waiting(self) noexcept nogil:
        """List the derivations to score: those of the beams, then the gold ones."""
        cdef size_t i
        Beam.list_waiting(self)
        for i in range(self.gold.size()):
            if not self.gold[i].is_finished:
                self.waiting.push_back(self.gold[i])

    cdef int _take_gold(self, Hypothesis* h, Choice choice) except -1 nogil:
        self.note(h)
        h.score += score_at(self.session.scores_of(h, choice.move), choice.index)
        h.length += 1
        self.take(h, choice, True)
        return self.run_ahead(h)

    cdef void _compare(self, int i) noexcept nogil:
        cdef const Hypothesis* best = self.beams[i][0]
        cdef const Hypothesis* gold = self.gold[i]
        cdef double behind = average(best.score, best.length) - average(gold.score, gold.length)
        if behind > self.worst[i]:
            self.worst[i] = behind
            self.limits[i] = gold.length


def violations(Scorer scorer, list sentences, int width, list derivations):
    """Return, for each sentence, the number of scored transitions after which the gold derivation is furthest behind.

    If it is never behind, this is the number of all its scored transitions. Each row of a derivation is a transition,
    its class, and whether it is scored.
    """
    cdef int count = <int>len(sentences)
    cdef Violations search = Violations(scorer, scorer.encode(sentences), False, width, count, 1)
    cdef int[::1] numbers = np.arange(count + 1, dtype=np.int32)
    cdef Choice choice
    cdef int i, move, index
    search.choices.resize(count)
    for i, derivation in enumerate(derivations):
        for move, index, is_scored in derivation:
            if is_scored:
                choice.move, choice.index, choice.score = move, index, 0
                choice.label = search.classes.label_of[index]
                search.choices[i].push_back(choice)
        search.gold.push_back(&search.hypotheses[(i + 1) * search.room - 1])
        search.worst.push_back(0)
        search.limits.push_back(<int>search.choices[i].size())
    with nogil:
        search.begin(&numbers[0], count)
        search.follow()
    return list(search.limits)
