"""The native part of the stack-LSTM: the states of derivations and the computations that they need."""

from libc.stdint cimport int8_t, int64_t
from libcpp.vector cimport vector

from gardenpath.neural.records cimport Records
from gardenpath.parsing.hypothesis cimport Choice, Hypothesis
from gardenpath.parsing.scorer cimport Scorer, Session, WordBatch
from gardenpath.systems.base cimport TransitionSystem
from gardenpath.systems.classes cimport Classes

cdef enum:
    INPUTS = 8             # vectors that describe a configuration: s, a, s1, s2, s3, b1, b2, b3

# Ids of node vectors. The first ones do not belong to words.
cdef enum:
    NO_STACK_WORD
    NO_BUFFER_WORD
    ROOT_NODE
    FIRST_TOKEN

cdef struct Element:       # an element of the stack that the LSTM has read
    int word
    int64_t node           # the id of its vector
    int64_t state          # the id of the LSTM state after it

cdef struct StackState:    # the state of a derivation
    int sentence           # its number in the group of sentences that is parsed
    int n
    int64_t* nodes         # by word: the id of its current vector
    Element* elements      # from the bottom
    int read               # the number of valid elements; those above the top of the stack can be used again
    int64_t history        # the id of the state of the history LSTM
    int capacity
    int row                # the row of its scores
    bint is_scored         # whether it has made no transition since it was scored
    int64_t compositions   # the ends of the records when it was scored
    int64_t pushes
    int64_t histories


cdef class NetworkScorer(Scorer):
    cdef readonly bint renews_dependent    # whether an arc updates both vectors, or only that of its head
    cdef unsigned unrecorded       # kinds of transitions, as bits, that are never a choice and not part of the history


cdef class NetworkSession(Session):
    cdef readonly NetworkScorer scorer
    cdef readonly WordBatch batch
    cdef readonly Records compositions     # ids of h, d and c, the one to update; the label
    cdef readonly Records pushes           # the state below; the node
    cdef readonly Records histories        # the state before; the class
    cdef readonly list lengths             # by sentence of the group
    cdef TransitionSystem system
    cdef Classes classes
    cdef bint computes                     # whether the network computes scores; if not, it only records
    cdef object tables                     # `neural.network.Tables` of the group
    cdef StackState* states
    cdef int size
    cdef vector[int] places                # by sentence of the batch: its number in the group
    cdef int64_t[::1] first_tokens         # by sentence of the group: the id of its first word vector
    cdef vector[double] scores             # a row of classes for each scored configuration
    cdef vector[int8_t] valid

    cdef void inputs_of(self, const Hypothesis* h, int64_t* inputs) noexcept nogil
    cdef void mark_valid(self, const Hypothesis* h, int8_t* valid) noexcept nogil
    cdef int _begin(self, const int* sentences, int count) except -1 with gil
    cdef int _score(self, Hypothesis** hypotheses, int count) except -1 with gil
    cdef void _normalise(self, const Hypothesis* h, const float* raw, double* scores) noexcept nogil
    cdef void _note_ends(self, StackState* state) noexcept nogil
    cdef int _compose(self, StackState* state, int head, int dependent, int label) except -1 nogil
    cdef int _read_stack(self, const Hypothesis* h) except -1 nogil
