"""The stack-LSTM as a scorer: the states of derivations, and what the network has to compute for them."""

from libc.stdint cimport int8_t, int64_t
from libcpp.vector cimport vector

from gardenpath.neural.records cimport Records
from gardenpath.search.hypothesis cimport Choice, Hypothesis
from gardenpath.search.scorer cimport Scorer, Session, WordBatch
from gardenpath.systems.base cimport TransitionSystem
from gardenpath.systems.classes cimport Classes

cdef enum:
    SLOTS = 8              # of a configuration: stack summary, history, three words of the stack, three of the buffer

# The first node vectors belong to no word.
cdef enum:
    NO_STACK_WORD
    NO_BUFFER_WORD
    ROOT_NODE
    FIRST_TOKEN

cdef struct Element:       # of the stack, as the LSTM has read it
    int word
    int64_t node
    int64_t state

cdef struct StackState:    # of a derivation
    int sentence           # its number in the group that is parsed
    int n
    int64_t* nodes         # by word: its present vector
    Element* elements
    int read               # elements that the LSTM has read, from the bottom; those above the top of the stack may come back unchanged
    int64_t history
    int capacity
    int row                # of its scores
    bint is_scored         # whether it has made no transition since it was scored
    int64_t compositions   # the ends of the records when it was scored
    int64_t pushes
    int64_t histories


cdef class NetworkScorer(Scorer):
    cdef readonly bint renews_dependent    # whether an arc renews the vector of its dependent too, since that stays in sight
    cdef int unrecorded                    # the transition that is no decision, so that the history does not record it; NONE if there is none


cdef class NetworkSession(Session):
    cdef readonly NetworkScorer scorer
    cdef readonly WordBatch batch
    cdef readonly Records compositions     # head, dependent, the one of the two that is renewed; label
    cdef readonly Records pushes           # state below; node
    cdef readonly Records histories        # state before; class
    cdef readonly list lengths             # of the sentences of the group
    cdef TransitionSystem system
    cdef Classes classes
    cdef bint computes                     # whether the network computes anything, or only records are wanted
    cdef object tables                     # what the network has computed for the group
    cdef StackState* states
    cdef int size
    cdef vector[int] places                # by sentence of the batch: its number in the group
    cdef int64_t[::1] first_tokens         # by sentence of the group
    cdef vector[double] scores             # a row for each scored configuration
    cdef vector[int8_t] valid

    cdef void slots_of(self, const Hypothesis* h, int64_t* slots) noexcept nogil
    cdef void mark_valid(self, const Hypothesis* h, int8_t* valid) noexcept nogil
    cdef int _begin(self, const int* sentences, int count) except -1 with gil
    cdef int _score(self, Hypothesis** hypotheses, int count) except -1 with gil
    cdef void _normalise(self, const Hypothesis* h, const float* raw, double* scores) noexcept nogil
    cdef int _compose(self, StackState* state, int head, int dependent, int label) except -1 nogil
    cdef int _read_stack(self, const Hypothesis* h) except -1 nogil
