# cython: boundscheck=False, wraparound=False
"""Scores of configurations from precomputed products (Chen and Manning, EMNLP 2014).

A configuration is described by the words in a few slots, such as the top of the stack or its farthest left dependent
(`TransitionSystem.slots`). Each slot s has a matrix W_s. The products W_s v of all word vectors v are computed before
the search. A configuration then costs a sum and a small output layer:

    hidden = relu(b + sum over s of (W_s v(word in s) + L_s(label of that word)))
    scores = W hidden + c
"""

import re

from libc.math cimport log

from gardenpath.core.configuration cimport NONE, ROOT
from gardenpath.core.moves cimport SHIFT
from gardenpath.network.attribution cimport attribute
from gardenpath.network.kernels cimport kernels
from gardenpath.parsing.hypothesis cimport Choice
from gardenpath.parsing.scorer cimport Scores

from gardenpath.errors import UsageError
from gardenpath.parsing.reasons import Reason

cdef extern from "scoring.h":
    void gp_hidden(const float* bias, const float* const* rows, int count, float* hidden, int size) noexcept nogil
    void gp_scores(
        const float* bias, const float* weights, const float* hidden, const int* active, int count, float* scores,
        int columns,
    ) noexcept nogil


_ADDRESS = re.compile(r"(?:[SNA]\d|C[LR])(?:h2?|[lr][2']?)*")


def rounded_up(int size):
    """Return a size, rounded up to a multiple of 16."""
    return (size + 15) // 16 * 16


cdef class SlotScorer(Scorer):
    """The last layers of the network. Subclasses compute the products."""

    is_normalised = True
    beam_margin = 3.0         # on dev sets, a margin of 2 gives the same scores as none

    def __init__(self, TransitionSystem system, Classes classes, int hidden_size):
        Scorer.__init__(self, system, classes)
        if hidden_size < 16 or hidden_size % 16:
            raise UsageError(f"the size of the hidden layer must be a multiple of 16, not {hidden_size}")
        wrong = [slot for slot in system.slots if not (isinstance(slot, str) and _ADDRESS.fullmatch(slot))]
        if wrong or not system.slots:
            problem = f"{wrong[0]!r} is not the address of a word" if wrong else "it has no slots"
            raise UsageError(f"the network cannot be used with {system.name}: {problem}; correct `slots` of the system")
        self.addresses = Addresses(system)
        self.places = [self.addresses.add(slot) for slot in system.slots]
        self.slots = <int>len(system.slots)
        self.hidden_size = hidden_size
        self.columns = rounded_up(classes.size)

    cdef int set_layers(self, labels, bias, weights, class_bias) except -1:
        """Set the parameters, float32 arrays."""
        self.labels, self.bias, self.weights, self.class_bias = labels, bias, weights, class_bias
        shapes = (
            (self.labels.shape[0], self.labels.shape[1]), (self.bias.shape[0],),
            (self.weights.shape[0], self.weights.shape[1]), (self.class_bias.shape[0],),
        )
        wanted = (
            (self.slots * (len(self.classes.labels) + 1), self.hidden_size), (self.hidden_size,),
            (self.hidden_size, self.columns), (self.columns,),
        )
        if shapes != wanted:
            self.has_layers = False
            raise UsageError(f"the layers have the shapes {shapes}, not {wanted}")
        self.has_layers = True
        return 0


cdef class SlotSession(Session):
    """Scores one configuration at a time. Subclasses set `table` and `first_rows`."""

    def __cinit__(self, SlotScorer scorer, EncodedBatch batch, *_):
        self.rows = 1
        self.scorer = scorer
        self.system = scorer.system
        self.classes = scorer.classes
        self.batch = batch
        self.first_rows.assign(batch.size, FIRST_ROW)
        self.hidden.resize(scorer.hidden_size)
        self.active.resize(scorer.hidden_size)
        self.parts.resize(2 * scorer.slots)

    cdef int begin(self, const int* sentences, int count) except -1 nogil:
        if self.table == NULL or not self.scorer.has_layers:
            with gil:
                raise UsageError("this scorer has no products or no layers yet; set them before the search")
        return 0

    cdef int score(self, Hypothesis** hypotheses, int count) except -1 nogil:
        cdef Hypothesis* h = hypotheses[0]
        cdef int i
        self.row_count = 0
        self._score_row(h, SHIFT)
        if self.system.has_depths:
            for i in range(h.move_count):
                if self.system.is_deep(&h.c, h.moves[i]):
                    self._score_row(h, h.moves[i])
        self._normalise(h)
        return 0

    cdef int _score_row(self, const Hypothesis* h, int move) except -1 nogil:
        """Compute a row of scores for the words that a transition sees in the slots."""
        cdef int words[64]
        cdef int slot, word, place, label, count = 0, slots = self.scorer.slots, size = self.scorer.hidden_size
        cdef int row = self.row_count, columns = self.scorer.columns
        self.row_count += 1
        if self.row_moves.size() < <size_t>self.row_count:
            self.row_moves.resize(self.row_count)
            self.words.resize(self.row_count * slots)
            self.word_labels.resize(self.row_count * slots)
            self.raw.resize(self.row_count * columns)
            self.scores.resize(self.row_count * columns)
        self.row_moves[row] = move
        self.scorer.addresses.read(&h.c, move, words, 0, self.scorer.addresses.count)
        for slot in range(slots):
            word = words[self.scorer.places[slot]]
            label = NONE
            if word == NONE:
                place = ABSENT_ROW
            elif word == ROOT:
                place = ROOT_ROW
            else:
                place = self.first_rows[h.sentence] + word - 1
                label = h.c.labels[word] if h.c.heads[word] != NONE else NONE
            self.words[row * slots + slot] = place
            self.parts[slot] = self.table + (<size_t>place * slots + slot) * size
            place = slot * (<int>self.scorer.labels.shape[0] // slots) + label + 1
            self.word_labels[row * slots + slot] = place
            self.parts[slots + slot] = &self.scorer.labels[place, 0]
        gp_hidden(&self.scorer.bias[0], self.parts.data(), 2 * slots, self.hidden.data(), size)
        for place in range(size):
            self.active[count] = place
            count += self.hidden[place] != 0
        gp_scores(
            &self.scorer.class_bias[0], &self.scorer.weights[0, 0], self.hidden.data(), self.active.data(), count,
            &self.raw[row * columns], columns,
        )
        return 0

    cdef int row_of(self, int move) noexcept nogil:
        """Return the row of scores of a valid transition."""
        cdef int row = self.row_count - 1
        while row > 0 and self.row_moves[row] != move:
            row -= 1
        return row

    cdef void _normalise(self, const Hypothesis* h) noexcept nogil:
        """Compute log-probabilities. The sum includes the valid classes only."""
        cdef double top = 0, total = 0
        cdef float* raw
        cdef bint found = False
        cdef int i, j, group
        cdef size_t k
        for i in range(h.move_count):
            group = self.classes.group(&h.c, h.moves[i])
            raw = &self.raw[self.row_of(h.moves[i]) * self.scorer.columns]
            for j in range(self.classes.first[group], self.classes.end[group]):
                if not found or raw[j] > top:
                    top, found = raw[j], True
        self.powers.clear()
        for i in range(h.move_count):
            group = self.classes.group(&h.c, h.moves[i])
            raw = &self.raw[self.row_of(h.moves[i]) * self.scorer.columns]
            for j in range(self.classes.first[group], self.classes.end[group]):
                self.powers.push_back(<float>(raw[j] - top))
        kernels().exponential(self.powers.data(), self.powers.size())
        for k in range(self.powers.size()):
            total += self.powers[k]
        total = top + log(total)
        for i in range(self.row_count * self.scorer.columns):
            self.scores[i] = self.raw[i] - total

    cdef Scores scores_of(self, const Hypothesis* h, int move) noexcept nogil:
        cdef Scores scores
        scores.whole = NULL
        scores.real = &self.scores[self.row_of(move) * self.scorer.columns]
        return scores

    cdef list reasons(self, const Hypothesis* h, Choice choice, Choice other, list words):
        """The words in the slots and their labels, compared with empty slots (`network.attribution`).

        The reason `bias` is the difference of the scores if all slots are empty.
        """
        cdef int row = self.row_of(choice.move), other_row = self.row_of(other.move), j, size = self.scorer.hidden_size
        cdef int first = self.first_rows[h.sentence]
        cdef vector[double] gains, losses
        cdef double bias = self.scorer.class_bias[choice.index] - self.scorer.class_bias[other.index]
        for j in range(size):
            gains.push_back(self.scorer.weights[j, choice.index])
            losses.push_back(-self.scorer.weights[j, other.index])
        found = []
        if row == other_row:
            for j in range(size):
                gains[j] += losses[j]
        else:
            bias += self._explain(other_row, losses.data(), words, first, found)
        bias += self._explain(row, gains.data(), words, first, found)
        return [*found, Reason("bias", "all slots empty", (), bias)]

    cdef double _explain(self, int row, const double* weights, list words, int first, list found) except? -1:
        """Append the reasons of a row of scores for output weights, and return the value of empty slots."""
        cdef int slots = self.scorer.slots, size = self.scorer.hidden_size, slot, place, label
        cdef int labels = <int>self.scorer.labels.shape[0] // slots
        cdef vector[const float*] parts, absent
        cdef vector[double] contributions
        cdef double bias
        parts.resize(2 * slots)
        absent.resize(2 * slots)
        contributions.resize(2 * slots)
        for slot in range(slots):
            place = self.words[row * slots + slot]
            parts[slot] = self.table + (<size_t>place * slots + slot) * size
            absent[slot] = self.table + (<size_t>ABSENT_ROW * slots + slot) * size
            parts[slots + slot] = &self.scorer.labels[self.word_labels[row * slots + slot], 0]
            absent[slots + slot] = &self.scorer.labels[slot * labels, 0]
        bias = attribute(
            &self.scorer.bias[0], parts.data(), absent.data(), 2 * slots, weights, size, contributions.data(),
        )
        for slot in range(slots):
            place, name = self.words[row * slots + slot], self.system.slots[slot]
            label = self.word_labels[row * slots + slot] - slot * labels - 1
            if place != ABSENT_ROW:
                word = ROOT if place == ROOT_ROW else place - first + 1
                form = words[word - 1].form if word else "ROOT"
                found.append(Reason(name, form, (word,), contributions[slot]))
            if label != NONE:
                text = self.classes.labels[label]
                found.append(Reason(f"{name} label", text, (word,), contributions[slots + slot]))
        return bias
