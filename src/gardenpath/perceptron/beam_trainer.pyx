"""Training with a beam: a right derivation against the best wrong one, at a step where the wrong one is ahead.

A derivation is right if the oracle accepts all its moves. Of the right ones the best counts that is in the beam; if there is none, that whose moves the parser
likes best one by one. The update is made where the last right one falls out of the beam (`early`: Collins and Roark, ACL 2004) or where the wrong one is
furthest ahead (`max-violation`: Huang, Fayong and Guo, NAACL 2012).
"""

from libc.stdint cimport int64_t, uint64_t
from libcpp.vector cimport vector

from gardenpath.core.configuration cimport Configuration, NONE
from gardenpath.features.encoding cimport EncodedSentence
from gardenpath.core.gold cimport Gold
from gardenpath.perceptron.judge cimport Judge
from gardenpath.perceptron.trainer cimport Trainer
from gardenpath.oracles.base cimport Oracle
from gardenpath.search.beam cimport Beam, Item, Link, follow, look_at
from gardenpath.search.greedy cimport Choice, GreedyParser


cdef class JudgedBeam(Beam):
    """A beam that tells right derivations from wrong ones."""

    cdef Judge judge
    cdef const Gold* gold

    cdef int judge_moves(self) except -1 nogil:
        self.judge.look(self.space, self.gold, 0)
        return 0

    cdef int label_for(self, int move) noexcept nogil:
        return self.judge.label_for(&self.space.c, self.gold, move)

    cdef bint is_right(self, int number, int index, int label) noexcept nogil:
        return self.judge.is_right(number, index, label)

    cdef const Item* best(self, bint is_right) noexcept nogil:
        """The best right derivation, or the best wrong one."""
        cdef int i
        for i in range(self.count):
            if self.items[i].is_right == is_right:
                return &self.items[i]
        return NULL


cdef class BeamTrainer(Trainer):
    """A trainer whose mistakes are derivations. It explores nothing: the beam meets mistakes enough."""

    cdef JudgedBeam beam
    cdef bint is_early
    cdef public bint is_greedy         # does it learn without a beam for now?
    cdef vector[Link] gold_path        # the right derivation that the parser likes best, move by move
    cdef vector[int64_t] gold_scores   # the sum after each of its moves
    cdef int decisions                 # how many of them are scored
    cdef vector[Link] good             # the derivations of an update
    cdef vector[Link] bad

    def __cinit__(self, GreedyParser parser, Oracle oracle, list sentences, list trees, uint64_t seed, int margin=0, int width=8, str update="max-violation"):
        self.beam = JudgedBeam(width, parser.classes.size)
        self.beam.judge = self.judge
        self.is_early = update == "early"
        self.space.is_afresh = True

    cdef int learn(self, int number) except -1 nogil:
        cdef const EncodedSentence* sentence = &self.batch.sentences[number]
        cdef const Item* right
        cdef const Item* wrong
        cdef int64_t score, worst = -1
        cdef int step = 0, good = NONE, bad = NONE, at = 0
        if self.is_greedy:
            return Trainer.learn(self, number)
        self._find_gold_path(number)
        self.beam.gold = &self.gold[number]
        self.beam.start(self.parser, sentence)
        while not self.beam.is_done(self.parser):
            self.beam.advance(self.parser, sentence)
            step += 1
            right, wrong = self.beam.best(True), self.beam.best(False)
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
            self._update_paths(sentence, good, bad, at)
        return 0

    cdef int _find_gold_path(self, int number) except -1 nogil:
        cdef Configuration* c = &self.space.c
        cdef const EncodedSentence* sentence = &self.batch.sentences[number]
        cdef Choice rival
        cdef Link link
        cdef int64_t score = 0
        cdef int loss = 0
        self.gold_path.clear()
        self.gold_scores.clear()
        self.parser.begin(self.space, sentence)
        link.previous = NONE
        self.decisions = 0
        while not self.parser.system.is_terminal(c):
            if self.is_watched:
                self.show(&self.gold[number])
            link.remembered = NONE
            look_at(self.parser, self.space, sentence, &link)
            if not link.is_forced:
                loss = self.judge.look(self.space, &self.gold[number], loss)
                self.compare(sentence, &self.gold[number], &link.choice, &rival)
                link.remembered = self.parser.remembered(self.space, link.choice.move)
            if link.is_scored:
                score += link.choice.score
                self.decisions += 1
            self.gold_path.push_back(link)
            self.gold_scores.push_back(score)
            follow(self.parser, c, &link)
        return 0

    cdef int _update_paths(self, const EncodedSentence* sentence, int good, int bad, int at) except -1 nogil:
        """Reward one derivation and punish the other, from where they part; the good one may be the gold path, up to a step."""
        cdef int common = 0
        self.beam.path_of(bad, &self.bad)
        if good != NONE:
            self.beam.path_of(good, &self.good)
        else:
            self.good.assign(self.gold_path.begin(), self.gold_path.begin() + min(at, <int>self.gold_path.size()))
        while common < <int>min(self.good.size(), self.bad.size()) and _are_same(&self.good[common].choice, &self.bad[common].choice):
            common += 1
        self._update_path(sentence, &self.good, common, True)
        return self._update_path(sentence, &self.bad, common, False)

    cdef int _update_path(self, const EncodedSentence* sentence, const vector[Link]* path, int start, bint is_good) except -1 nogil:
        cdef const Link* link
        cdef int i, count
        self.parser.begin(self.space, sentence)
        for i in range(<int>path.size()):
            link = &path[0][i]
            if i >= start and link.is_scored:
                count = self.parser.extractor.extract(&self.space.c, link.choice.move, sentence, self.space.keys)
                self.weights.update(
                    self.space.keys, count, link.choice.index if is_good else NONE, NONE if is_good else link.choice.index, self.steps,
                )
            follow(self.parser, &self.space.c, link)
        return 0


cdef inline bint _are_same(const Choice* one, const Choice* other) noexcept nogil:
    return one.move == other.move and one.index == other.index
