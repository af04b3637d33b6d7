# cython: boundscheck=False, wraparound=False
"""The native part of the stack-LSTM: a session that records computations and has the network do them in batches.

For each derivation, a session has the ids of the vectors of its words, its stack and its history. A transition that
builds an arc needs compositions. A changed stack needs steps of the stack LSTM. The transition itself needs a step of
the history LSTM. The session records each of these computations and assigns an id to its result. Before configurations
are scored, the network does all recorded computations of all derivations together. Vectors and states never change, so
derivations can share them.
"""

import numpy as np

from libc.math cimport exp, log
from libc.stdint cimport int8_t, int64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from gardenpath.core.configuration cimport B, NONE, ROOT, S
from gardenpath.core.moves cimport has, kind_of
from gardenpath.parsing.scorer cimport EncodedBatch, Scores

from gardenpath.errors import UsageError

cdef enum:
    MANY_ROWS = 1 << 30


cdef class NetworkScorer(Scorer):
    """The native part of `neural.scorer.StackLSTM`. A subclass defines `tables(sentences)`: word vectors."""

    lanes = 256
    batch_words = 8_000     # enough to fill the lanes with sentences of similar length
    is_normalised = True

    def __init__(self, TransitionSystem system, Classes classes):
        if system.has_depths:
            raise UsageError(
                f"the stack-LSTM cannot score {system.name}, whose arcs of different depths are one class; "
                "use the scorer perceptron or another system"
            )
        Scorer.__init__(self, system, classes)
        self.renews_dependent = not system.dependents_leave
        self.unrecorded = system.kinds_of(system.automatic)

    cdef Session open(self, EncodedBatch batch, int slots, bint is_contiguous):
        return NetworkSession(self, batch, slots)


cdef class NetworkSession(Session):
    """The states of the derivations of a batch. Without `computes`, it only records computations, for training."""

    def __cinit__(self, NetworkScorer scorer, WordBatch batch, int slots, bint computes=True):
        self.has_memory = True
        self.rows = MANY_ROWS
        self.scorer = scorer
        self.system = scorer.system
        self.classes = scorer.classes
        self.batch = batch
        self.computes = computes
        self.size = slots
        self.places.resize(batch.size)
        self.valid.resize(self.classes.size)
        self.states = <StackState*>calloc(slots + 1, sizeof(StackState))
        if self.states == NULL:
            raise MemoryError(f"there is not enough memory for {slots} derivations")

    def __dealloc__(self):
        cdef int i
        if self.states != NULL:
            for i in range(self.size):
                free(self.states[i].nodes)
                free(self.states[i].elements)
        free(self.states)

    cdef int begin(self, const int* sentences, int count) except -1 nogil:
        return self._begin(sentences, count)

    cdef int _begin(self, const int* sentences, int count) except -1 with gil:
        """Remove all states, and compute the word vectors of the sentences."""
        cdef int i
        numbers = [sentences[i] for i in range(count)]
        for i in range(count):
            self.places[sentences[i]] = i
        self.lengths = [self.batch.lengths[i] for i in numbers]
        self.first_tokens = FIRST_TOKEN + np.cumsum([0, *self.lengths], dtype=np.int64)
        self.compositions = Records(4, 3, self.first_tokens[count])
        self.pushes = Records(2, 1, 1)
        self.histories = Records(2, 1, 1)
        self.tables = self.scorer.tables([self.batch.sentences[i] for i in numbers]) if self.computes else None
        return 0

    cdef int start(self, Hypothesis* h) except -1 nogil:
        cdef StackState* state = &self.states[h.slot]
        cdef int word
        _make_room(state, h.c.n)
        state.sentence = self.places[h.sentence]
        state.n = h.c.n
        state.nodes[ROOT] = ROOT_NODE
        for word in range(1, h.c.n + 1):
            state.nodes[word] = self.first_tokens[state.sentence] + word - 1
        state.read = 0
        state.history = 0
        state.is_scored = False
        self._note_ends(state)
        return self._read_stack(h)

    cdef int tell(self, Hypothesis* h, Choice choice, int head, int dependent) except -1 nogil:
        """Record the computations that a transition needs."""
        cdef StackState* state = &self.states[h.slot]
        cdef int64_t[2] record
        if state.is_scored:
            state.is_scored = False
            self._note_ends(state)
        if head != NONE:
            self._compose(state, head, dependent, h.c.labels[dependent])
        if not has(self.scorer.unrecorded, kind_of(choice.move)):
            record[0], record[1] = state.history, choice.index
            state.history = self.histories.add(record, state.sentence)
        return self._read_stack(h)

    cdef void _note_ends(self, StackState* state) noexcept nogil:
        """Note where the records end, so that `drop` can remove later ones."""
        state.compositions = self.compositions.end()
        state.pushes = self.pushes.end()
        state.histories = self.histories.end()

    cdef int copy(self, int target, int source) except -1 nogil:
        cdef StackState* to = &self.states[target]
        cdef const StackState* old = &self.states[source]
        _make_room(to, old.n)
        memcpy(to.nodes, old.nodes, (old.n + 1) * sizeof(int64_t))
        memcpy(to.elements, old.elements, old.read * sizeof(Element))
        to.sentence, to.n, to.read, to.history = old.sentence, old.n, old.read, old.history
        to.is_scored = old.is_scored
        to.compositions, to.pushes, to.histories = old.compositions, old.pushes, old.histories
        return 0

    cdef int drop(self, int slot) except -1 nogil:
        """Remove the records of a derivation since it was scored. It has ended, so their results are not needed."""
        cdef StackState* state = &self.states[slot]
        if self.computes and not state.is_scored:
            self.compositions.cut(state.compositions)
            self.pushes.cut(state.pushes)
            self.histories.cut(state.histories)
        return 0

    cdef int _compose(self, StackState* state, int head, int dependent, int label) except -1 nogil:
        """Record c' = tanh(U [h; d; l; c] + e_h) for the head of a new arc (c = h) and its dependent (c = d)."""
        cdef int64_t[4] record
        record[0], record[1], record[2], record[3] = state.nodes[head], state.nodes[dependent], state.nodes[head], label
        state.nodes[head] = self.compositions.add(record, state.sentence)
        if self.scorer.renews_dependent:
            record[2] = state.nodes[dependent]
            state.nodes[dependent] = self.compositions.add(record, state.sentence)
        return 0

    cdef int _read_stack(self, const Hypothesis* h) except -1 nogil:
        """Record the steps of the stack LSTM from the lowest element that has changed to the top."""
        cdef StackState* state = &self.states[h.slot]
        cdef int64_t[2] record
        cdef int i, word
        for i in range(h.c.stack_size):
            word = h.c.stack[i]
            if i < state.read and state.elements[i].word == word and state.elements[i].node == state.nodes[word]:
                continue
            record[0], record[1] = state.elements[i - 1].state if i else 0, state.nodes[word]
            state.elements[i].word = word
            state.elements[i].node = state.nodes[word]
            state.elements[i].state = self.pushes.add(record, state.sentence)
            state.read = i + 1
        return 0

    cdef int score(self, Hypothesis** hypotheses, int count) except -1 nogil:
        return self._score(hypotheses, count) if count else 0

    cdef int _score(self, Hypothesis** hypotheses, int count) except -1 with gil:
        cdef int64_t[:, ::1] inputs
        cdef const float[:, ::1] raw
        cdef int i, classes = self.classes.size
        array = np.empty((count, INPUTS), np.int64)
        inputs = array
        for i in range(count):
            self.inputs_of(hypotheses[i], &inputs[i, 0])
        self.tables.extend(self)
        raw = self.tables.scores(array)
        self.scores.resize(count * classes)
        with nogil:
            for i in range(count):
                self.states[hypotheses[i].slot].row = i
                self.states[hypotheses[i].slot].is_scored = True
                self._normalise(hypotheses[i], &raw[i, 0], &self.scores[i * classes])
        return 0

    cdef void _normalise(self, const Hypothesis* h, const float* raw, double* scores) noexcept nogil:
        """Compute log-probabilities. The sum includes the valid classes only."""
        cdef double top = 0, total = 0
        cdef bint found = False
        cdef int i
        self.mark_valid(h, self.valid.data())
        for i in range(self.classes.size):
            if self.valid[i] and (not found or raw[i] > top):
                top, found = raw[i], True
        for i in range(self.classes.size):
            if self.valid[i]:
                total += exp(raw[i] - top)
        total = top + log(total)
        for i in range(self.classes.size):
            scores[i] = raw[i] - total

    cdef Scores scores_of(self, const Hypothesis* h, int move) noexcept nogil:
        cdef Scores scores
        scores.whole = NULL
        scores.real = &self.scores[self.states[h.slot].row * self.classes.size]
        return scores

    cdef void mark_valid(self, const Hypothesis* h, int8_t* valid) noexcept nogil:
        """Mark the classes of the valid transitions."""
        cdef int i, group
        memset(valid, 0, self.classes.size)
        for i in range(h.move_count):
            group = self.classes.group(&h.c, h.moves[i])
            memset(valid + self.classes.first[group], 1, self.classes.end[group] - self.classes.first[group])

    cdef void inputs_of(self, const Hypothesis* h, int64_t* inputs) noexcept nogil:
        """Write the ids of the vectors that describe a configuration: s, a, s1, s2, s3, b1, b2, b3."""
        cdef const StackState* state = &self.states[h.slot]
        cdef int i, word
        inputs[0] = state.elements[h.c.stack_size - 1].state if h.c.stack_size else 0
        inputs[1] = state.history
        for i in range(3):
            word = S(&h.c, i)
            inputs[2 + i] = state.nodes[word] if word != NONE else NO_STACK_WORD
            word = B(&h.c, i)
            inputs[5 + i] = state.nodes[word] if word != NONE else NO_BUFFER_WORD


cdef int _make_room(StackState* state, int n) except -1 nogil:
    if n > state.capacity or state.nodes == NULL:
        free(state.nodes)
        free(state.elements)
        state.nodes = <int64_t*>malloc((n + 2) * sizeof(int64_t))
        state.elements = <Element*>malloc((n + 2) * sizeof(Element))
        if state.nodes == NULL or state.elements == NULL:
            with gil:
                raise MemoryError(f"there is not enough memory for a sentence of {n} words")
        state.capacity = n
    return 0
