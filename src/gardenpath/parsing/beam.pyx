# cython: boundscheck=False, wraparound=False
"""Beam search over several sentences at once. Derivations are ranked by the average score of their transitions.

Every round makes one transition in each derivation. Derivations that have ended stay in the beam and compete. As long
as none has ended, all have the same number of scored transitions (except for Unshifts), so the average ranks them as
the sum does.

A transition without an alternative has probability 1. If scores are log-probabilities, it is made at once and does not
count. Other scores are only comparable step by step, so it is scored like any other. A forced Unshift is an exception:
it is not scored, because it only reverts an earlier transition.

A scorer can have a margin (`Scorer.beam_margin`). A derivation whose sum of scores is lower than that of the best one
of the same length by more than the margin is dropped, although the beam has room for it.

If two derivations of the same length have led to the same configuration, they have the same continuations, so only the
better one is continued. This does not hold for a scorer with memory.
"""

from libc.math cimport INFINITY
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free
from libcpp.algorithm cimport reverse
from libcpp.vector cimport vector

from gardenpath.core.configuration cimport Configuration, NONE
from gardenpath.core.hashing cimport join
from gardenpath.core.moves cimport RIGHT_ARC, SHIFT, UNSHIFT
from gardenpath.parsing.base cimport ClassRange, first_of, highest, highest_other
from gardenpath.parsing.hypothesis cimport Choice, Hypothesis, copy_hypothesis, release_hypothesis
from gardenpath.parsing.scorer cimport EncodedBatch, Scorer, Scores, score_at
from gardenpath.parsing.stopping cimport CHECKED_STEPS, checked


cdef class Beam(Search):
    """The derivations of up to `capacity` sentences, `width` of each, and `extra` slots per sentence for the caller."""

    def __cinit__(
        self, Scorer scorer, EncodedBatch batch, bint single_root, int width, int capacity=1, int extra=0, *_,
    ):
        cdef int i
        self.width = width
        self.capacity = capacity
        self.room = 2 * width + extra          # derivations of this round and of the next
        self.is_normalised = scorer.is_normalised
        self.margin = scorer.beam_margin
        self.prepare(scorer, batch, scorer.open(batch, capacity * self.room, False), single_root)
        self.hypotheses = <Hypothesis*>calloc(capacity * self.room + 1, sizeof(Hypothesis))
        if self.hypotheses == NULL:
            raise MemoryError(f"no memory for a beam of width {width}")
        for i in range(capacity * self.room):
            self.hypotheses[i].slot = i

    def __dealloc__(self):
        cdef int i
        if self.hypotheses != NULL:
            for i in range(self.capacity * self.room):
                release_hypothesis(&self.hypotheses[i])
        free(self.hypotheses)

    cdef int begin(self, const int* sentences, int count) except -1 nogil:
        """Begin with one derivation of each of these sentences."""
        cdef int i
        self._reset(count)
        self.session.begin(sentences, count)
        for i in range(count):
            self.start(self.beams[i][0], sentences[i])
            self.settle(self.beams[i][0])
        return 0

    cdef int begin_at(self, const Hypothesis* h) except -1 nogil:
        """Begin with a copy of an unfinished derivation, with its score set to 0."""
        cdef Hypothesis* first
        self._reset(1)
        first = self.beams[0][0]
        copy_hypothesis(first, h)
        if self.has_memory:
            self.session.copy(first.slot, h.slot)
        first.score = first.length = 0
        first.link = NONE
        return self.settle(first)

    cdef void _reset(self, int count) noexcept nogil:
        cdef int i, j
        self.links.clear()
        self.beams.resize(count)
        self.spare.resize(count)
        self.candidates.resize(count)
        for i in range(count):
            self.beams[i].clear()
            self.spare[i].clear()
            self.beams[i].push_back(&self.hypotheses[i * self.room])
            for j in range(2 * self.width - 1, 0, -1):
                self.spare[i].push_back(&self.hypotheses[i * self.room + j])

    cdef int settle(self, Hypothesis* h) except -1 nogil:
        """Prepare a derivation for the next round: list its valid transitions.

        If scores are log-probabilities, also make the forced transitions.
        """
        if self.is_normalised:
            return self.run_ahead(h)
        return 0 if h.is_finished else self.find_forced(h)

    cdef int run(self) except -1 nogil:
        """Advance until all derivations have ended."""
        cdef int unchecked = 0
        while not self.is_done():
            unchecked = checked(unchecked + self.width * <int>self.beams.size(), CHECKED_STEPS)
            self.advance()
        return 0

    cdef bint is_done(self) noexcept nogil:
        """Whether all derivations have ended."""
        cdef size_t i, j
        for i in range(self.beams.size()):
            for j in range(self.beams[i].size()):
                if not self.beams[i][j].is_finished:
                    return False
        return True

    cdef int advance(self) except -1 nogil:
        """Make one transition in every derivation that has not ended, and keep the best results."""
        self.list_waiting()
        self.scored = 0
        return self.expand()

    cdef int expand(self) except -1 nogil:
        """Score the derivations that are not scored yet, compare all continuations, and keep the best."""
        cdef Hypothesis* h
        cdef int i, next = 0
        cdef size_t j
        for i in range(<int>self.beams.size()):
            self.candidates[i].clear()
            for j in range(self.beams[i].size()):
                h = self.beams[i][j]
                if needs_score(h):
                    if next == self.scored:
                        self.score_more()
                    next += 1
                self._propose_all(i, h)
        for i in range(<int>self.beams.size()):
            self._replace(i)
        return 0

    cdef void list_waiting(self) noexcept nogil:
        """List the derivations to be scored in this round, those of the beams first and in order."""
        cdef size_t i, j
        self.waiting.clear()
        for i in range(self.beams.size()):
            for j in range(self.beams[i].size()):
                if needs_score(self.beams[i][j]):
                    self.waiting.push_back(self.beams[i][j])

    cdef int score_more(self) except -1 nogil:
        """Score the next derivations of the list, as many as fit into one call."""
        cdef int count = min(self.session.rows, <int>self.waiting.size() - self.scored)
        self.session.score(&self.waiting[self.scored], count)
        self.scored += count
        return 0

    cdef int judge(self, Hypothesis* h) except -1 nogil:
        """For training: find out which of the valid transitions the oracle accepts."""
        return 0

    cdef int label_for(self, const Hypothesis* h, int move) noexcept nogil:
        """For training: the label that the transition must have, NONE if it may have any."""
        return NONE

    cdef bint is_right(self, int number, int index, int label) noexcept nogil:
        """For training: whether a class of a valid transition is right, if the transition must have that label.

        `number` is the index of the transition in the list of valid ones.
        """
        return False

    cdef int _propose_all(self, int number, Hypothesis* h) except -1 nogil:
        """Rank all continuations of a derivation among the candidates."""
        cdef Link link
        cdef Scores scores
        cdef Rivals rivals
        cdef ClassRange found
        cdef double least
        cdef int i, label
        read_link(h, &link)
        if h.is_finished or not needs_score(h):
            self._propose(number, h, &link, h.is_right)
            return 0
        if h.is_forced:
            link.choice.score = score_at(self.session.scores_of(h, link.choice.move), link.choice.index)
            self._propose(number, h, &link, h.is_right)
            return 0
        self.note(h)
        if h.is_right:
            self.judge(h)
        if self.keeps_margins:
            self._find_best_moves(h, &rivals)
        for i in range(h.move_count):
            link.choice.move = h.moves[i]
            link.front_label = h.front_label if h.moves[i] == SHIFT or h.moves[i] == RIGHT_ARC else NONE
            scores = self.session.scores_of(h, h.moves[i])
            found = self.classes_of(h, h.moves[i])
            label = self.label_for(h, h.moves[i]) if h.is_right else NONE
            least = self._least(number, h)
            if self.keeps_margins:
                rivals.label_score = highest(scores, found.first, found.end)
                if rivals.label_score < least:
                    continue
                rivals.label_index = first_of(scores, found.first, rivals.label_score)
                rivals.second_label_score = highest_other(scores, found.first, found.end, rivals.label_index)
            for link.choice.index in range(found.first, found.end):
                link.choice.score = score_at(scores, link.choice.index)
                if link.choice.score < least:
                    continue
                link.choice.label = self.classes.label_of[link.choice.index]
                if self.keeps_margins:
                    _set_margins(&link.choice, &rivals)
                self._propose(number, h, &link, h.is_right and self.is_right(i, link.choice.index, label))
        return 0

    cdef double _least(self, int number, const Hypothesis* h) noexcept nogil:
        """Return the score that the next transition of a derivation needs at least to stay within the margin."""
        cdef vector[Candidate]* candidates = &self.candidates[number]
        if candidates.empty() or candidates[0][0].length != h.length + 1:
            return -INFINITY
        return candidates[0][0].score - self.margin - h.score

    cdef void _find_best_moves(self, Hypothesis* h, Rivals* rivals) noexcept nogil:
        """Find the best and the second-best transition."""
        cdef Choice choice
        cdef double top, former
        cdef int i
        choice.index = choice.move = NONE
        choice.score = -INFINITY
        rivals.second_score = -INFINITY
        for i in range(h.move_count):
            former = choice.score
            top = self.consider(h, h.moves[i], &choice)
            rivals.second_score = max(rivals.second_score, former if choice.move == h.moves[i] else top)
        rivals.move, rivals.score = choice.move, choice.score

    cdef void _propose(self, int number, Hypothesis* h, const Link* link, bint is_right) noexcept nogil:
        """Rank one continuation of a derivation among the others. The first one wins a tie, as in greedy search."""
        cdef vector[Candidate]* candidates = &self.candidates[number]
        cdef Candidate candidate
        cdef size_t place = candidates.size()
        candidate.source = h
        candidate.link = link[0]
        candidate.is_right = is_right
        candidate.score = h.score + (link.choice.score if link.is_scored else 0)
        candidate.length = h.length + link.is_scored
        # Keep twice as many candidates as the beam is wide, because some lead to the same configuration.
        if place == 2 * <size_t>self.width:
            if not _is_better(&candidate, &candidates[0][place - 1]):
                return
            place -= 1
        else:
            candidates.push_back(candidate)
        while place > 0 and _is_better(&candidate, &candidates[0][place - 1]):
            candidates[0][place] = candidates[0][place - 1]
            place -= 1
        candidates[0][place] = candidate

    cdef int _replace(self, int number) except -1 nogil:
        """Make the best candidates the beam of a sentence."""
        cdef vector[Hypothesis*] old
        cdef Hypothesis* target
        cdef vector[Candidate]* candidates = &self.candidates[number]
        cdef size_t i
        self._drop_hopeless(candidates)
        if candidates.size() == 1 and not self.has_memory:
            return self._replace_by_one(number)
        old.swap(self.beams[number])
        self.seen.clear()
        for i in range(candidates.size()):
            if <int>self.beams[number].size() == self.width:
                break
            target = self.spare[number].back()
            copy_hypothesis(target, candidates[0][i].source)
            if self.has_memory:
                self.session.copy(target.slot, candidates[0][i].source.slot)
            self._continue(target, &candidates[0][i])
            if not self.has_memory and self._is_known(number, target):
                continue
            self.settle(target)
            self.beams[number].push_back(target)
            self.spare[number].pop_back()
        for i in range(old.size()):
            self.spare[number].push_back(old[i])
        return 0

    cdef int _replace_by_one(self, int number) except -1 nogil:
        """Continue the derivation of the only candidate, and make it the beam of a sentence."""
        cdef Hypothesis* target = self.candidates[number][0].source
        cdef size_t i
        for i in range(self.beams[number].size()):
            if self.beams[number][i] != target:
                self.spare[number].push_back(self.beams[number][i])
        self.beams[number].assign(1, target)
        self._continue(target, &self.candidates[number][0])
        return self.settle(target)

    cdef void _drop_hopeless(self, vector[Candidate]* candidates) noexcept nogil:
        """Drop the candidates beyond the margin. Those of another length than the best one stay."""
        cdef size_t i, kept = 0
        for i in range(candidates.size()):
            if candidates[0][i].length != candidates[0][0].length or (
                candidates[0][i].score >= candidates[0][0].score - self.margin
            ):
                candidates[0][kept] = candidates[0][i]
                kept += 1
        candidates.resize(kept)

    cdef int _continue(self, Hypothesis* target, const Candidate* candidate) except -1 nogil:
        """Continue a derivation by a candidate's transition. The derivation is the candidate's source, or a copy."""
        target.score, target.length, target.is_right = candidate.score, candidate.length, candidate.is_right
        if candidate.link.choice.move != NONE:
            target.link = <int>self.links.size()
            self.links.push_back(candidate.link)
            self.take(target, candidate.link.choice, not candidate.link.is_forced)
        return 0

    cdef bint _is_known(self, int number, const Hypothesis* target) noexcept nogil:
        """Whether a better derivation of this length has led to the same configuration.

        If so, and if the oracle accepts this derivation, the better one is marked as right too.
        """
        cdef uint64_t key = _signature(&target.c)
        cdef size_t i
        for i in range(self.seen.size()):
            if self.seen[i] == key and self.beams[number][i].length == target.length:
                self.beams[number][i].is_right = self.beams[number][i].is_right or target.is_right
                return True
        self.seen.push_back(key)
        return False

    cdef void path_of(self, int link, vector[Link]* path) noexcept nogil:
        """The transitions up to a link, from the first on."""
        path.clear()
        while link != NONE:
            path.push_back(self.links[link])
            link = self.links[link].previous
        reverse(path.begin(), path.end())


cdef bint needs_score(const Hypothesis* h) noexcept nogil:
    """Return whether the valid transitions of a derivation must be scored."""
    return not h.is_finished and (not h.is_forced or h.forced.move != UNSHIFT)


cdef void read_link(const Hypothesis* h, Link* link) noexcept nogil:
    """Fill in the next transition of a derivation with the values that are known before scoring."""
    link.previous = h.link
    link.front_label = NONE
    link.is_forced = not h.is_finished and h.is_forced
    link.is_scored = needs_score(h)
    link.choice = h.forced
    if not link.is_forced:
        link.choice.move = NONE


cdef void _set_margins(Choice* choice, const Rivals* rivals) noexcept nogil:
    cdef bint is_best = choice.index == rivals.label_index
    choice.head_margin = choice.score - (rivals.second_score if choice.move == rivals.move else rivals.score)
    choice.label_margin = choice.score - (rivals.second_label_score if is_best else rivals.label_score)


cdef double average(double score, int length) noexcept nogil:
    return score / length if length else 0.0


cdef inline bint _is_better(const Candidate* one, const Candidate* other) noexcept nogil:
    if one.length == other.length:
        return one.score > other.score
    return average(one.score, one.length) > average(other.score, other.length)


cdef uint64_t _signature(const Configuration* c) noexcept nogil:
    """Return a hash of everything in a configuration that affects later transitions and their scores."""
    cdef uint64_t key = join(join(c.cursor, c.flag), c.stack_size)
    cdef int i
    for i in range(c.stack_size):
        key = join(key, c.stack[i])
    key = join(key, c.returned_size)
    for i in range(c.returned_size):
        key = join(key, c.returned[i])
    for i in range(1, c.n + 1):
        key = join(key, <uint64_t>(c.heads[i] + 1) << 32 | <uint64_t>(c.labels[i] + 1))
        key = join(key, <uint64_t>(c.shift_labels[i] + 1) << 1 | c.marks[i])
    return key
