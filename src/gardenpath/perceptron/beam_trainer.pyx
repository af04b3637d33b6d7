"""Training with a beam: a right derivation against the best wrong one, at a step where the wrong one is ahead.

A derivation is right if the oracle accepts all its transitions. The right derivation of an update is the best one in
the beam. If the beam has none, it is the one that takes the best-scoring accepted transition at each step. The update
is made where the last right one falls out of the beam (`early`: Collins and Roark, ACL 2004) or where the wrong one is
furthest ahead (`max-violation`: Huang, Fayong and Guo, NAACL 2012).
"""

from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

from gardenpath.core.configuration cimport NONE
from gardenpath.core.gold cimport Gold
from gardenpath.oracles.base cimport Oracle
from gardenpath.perceptron.scorer cimport Perceptron
from gardenpath.perceptron.trainer cimport PerceptronTrainer
from gardenpath.parsing.beam cimport Beam, Link, needs_score, read_link
from gardenpath.parsing.hypothesis cimport Choice, Hypothesis
from gardenpath.parsing.judge cimport Judge
from gardenpath.parsing.scorer cimport score_at


cdef class JudgedBeam(Beam):
    """A beam that marks the derivations of one sentence as right or wrong."""

    cdef Judge oracle
    cdef const Gold* gold

    cdef int judge(self, Hypothesis* h) except -1 nogil:
        self.oracle.look(h, self.gold, 0)
        return 0

    cdef int label_for(self, const Hypothesis* h, int move) noexcept nogil:
        return self.oracle.label_for(h, self.gold, move)

    cdef bint is_right(self, int number, int index, int label) noexcept nogil:
        return self.oracle.is_right(number, index, label)

    cdef const Hypothesis* best_of(self, bint is_right) noexcept nogil:
        """The best right derivation, or the best wrong one; NULL if there is none."""
        cdef size_t i
        for i in range(self.beams[0].size()):
            if self.beams[0][i].is_right == is_right:
                return self.beams[0][i]
        return NULL


cdef class BeamTrainer(PerceptronTrainer):
    """A trainer whose mistakes are derivations. It does not explore: the beam meets enough mistakes."""

    cdef JudgedBeam beam
    cdef bint is_early
    cdef public bint is_greedy         # whether it learns without a beam for now
    cdef vector[Link] gold_path        # the right derivation that scores best transition by transition
    cdef vector[double] gold_scores    # the sum after each of its transitions
    cdef int decisions                 # the number of those that are scored
    cdef vector[Link] good             # the derivations of an update
    cdef vector[Link] bad

    def __init__(
        self, Perceptron scorer, Oracle oracle, list sentences, list trees, bint is_contiguous=False, *,
        uint64_t seed, double margin=0, int width=8, str update="max-violation", **_,
    ):
        PerceptronTrainer.__init__(self, scorer, oracle, sentences, trees, is_contiguous, seed=seed, margin=margin)
        self.beam = JudgedBeam(scorer, self.batch, False, width)
        self.beam.oracle = self.judge
        self.is_early = update == "early"

    cdef int walk(self, int number) except -1 nogil:
        cdef const Hypothesis* right
        cdef const Hypothesis* wrong
        cdef double score, worst = -1
        cdef int step = 0, good = NONE, bad = NONE, at = 0
        if self.is_greedy:
            return PerceptronTrainer.walk(self, number)
        self._find_gold_path(number)
        self.beam.gold = &self.gold.trees[number]
        self.beam.begin(&number, 1)
        while not self.beam.is_done():
            self.beam.advance()
            step += 1
            right, wrong = self.beam.best_of(True), self.beam.best_of(False)
            if wrong == NULL:
                continue
            score = right.score if right != NULL else self.gold_scores[min(step, <int>self.gold_scores.size()) - 1]
            if wrong.score + self.margin - score > worst or (self.is_early and right == NULL):
                worst, at, bad = wrong.score + self.margin - score, step, wrong.link
                good = right.link if right != NULL else NONE
            if self.is_early and right == NULL:
                break
        self.steps += self.decisions
        if bad != NONE:
            self.mistakes += self.decisions if worst >= self.margin else 0
            self._update_paths(number, good, bad, at)
        return 0

    cdef int _find_gold_path(self, int number) except -1 nogil:
        cdef Hypothesis* h = &self.h
        cdef const Gold* gold = &self.gold.trees[number]
        cdef Choice rival
        cdef Link link
        cdef double score = 0
        cdef int loss = 0
        self.gold_path.clear()
        self.gold_scores.clear()
        self.decisions = 0
        self.start(h, number)
        while not h.is_finished:
            if self.is_watched:
                self.show(gold)
            self.find_forced(h)
            read_link(h, &link)
            if needs_score(h):
                self.score(h)
                self.decisions += 1
            if link.is_forced and link.is_scored:
                link.choice.score = score_at(self.session.scores_of(h, link.choice.move), link.choice.index)
            elif not link.is_forced:
                loss = self.judge.look(h, gold, loss)
                self.compare(gold, &link.choice, &rival)
                link.front_label = self.front_label(h, link.choice.move)
            if link.is_scored:
                score += link.choice.score
            self.gold_path.push_back(link)
            self.gold_scores.push_back(score)
            self._follow(&link)
        return 0

    cdef int _follow(self, const Link* link) except -1 nogil:
        """Make the transition of a link."""
        self.h.front_label = link.front_label
        return self.take(&self.h, link.choice, not link.is_forced)

    cdef int _update_paths(self, int number, int good, int bad, int at) except -1 nogil:
        """Reward one derivation and punish the other, from the first step at which they differ.

        If `good` is NONE, the good one is the gold path up to the step `at`.
        """
        cdef int common = 0, shorter
        self.beam.path_of(bad, &self.bad)
        if good != NONE:
            self.beam.path_of(good, &self.good)
        else:
            self.good.assign(self.gold_path.begin(), self.gold_path.begin() + min(at, <int>self.gold_path.size()))
        shorter = <int>min(self.good.size(), self.bad.size())
        while common < shorter and _are_same(&self.good[common].choice, &self.bad[common].choice):
            common += 1
        self._update_path(number, &self.good, common, True)
        return self._update_path(number, &self.bad, common, False)

    cdef int _update_path(self, int number, const vector[Link]* path, int start, bint is_good) except -1 nogil:
        cdef const Link* link
        cdef int i, index
        self.start(&self.h, number)
        for i in range(<int>path.size()):
            link = &path[0][i]
            if i >= start and link.is_scored:
                index = link.choice.index
                self._update_one(link.choice.move, index if is_good else NONE, NONE if is_good else index)
            self._follow(link)
        return 0


cdef inline bint _are_same(const Choice* one, const Choice* other) noexcept nogil:
    return one.move == other.move and one.index == other.index
