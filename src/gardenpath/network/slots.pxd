"""Scores of configurations from products that are computed before the search."""

from libcpp.vector cimport vector

from gardenpath.parsing.hypothesis cimport Hypothesis
from gardenpath.parsing.scorer cimport EncodedBatch, Scorer, Session
from gardenpath.systems.addresses cimport Addresses
from gardenpath.systems.base cimport TransitionSystem
from gardenpath.systems.classes cimport Classes

cdef enum:
    ABSENT_ROW = 0         # the first rows of a table of products: of a missing word, of the root, of the first word
    ROOT_ROW = 1
    FIRST_ROW = 2


cdef class SlotScorer(Scorer):
    cdef Addresses addresses
    cdef vector[int] places            # by slot: the number of its address
    cdef readonly int slots            # number of slots
    cdef readonly int hidden_size
    cdef readonly int columns          # number of classes, rounded up to a multiple of 16
    cdef bint has_layers               # whether the following are set
    cdef const float[:, ::1] labels    # by slot and label: what the label of the slot's word adds to the hidden layer
    cdef const float[::1] bias
    cdef const float[:, ::1] weights   # of the output layer: by hidden unit and class
    cdef const float[::1] class_bias

    cdef int set_layers(self, labels, bias, weights, class_bias) except -1


cdef class SlotSession(Session):
    cdef SlotScorer scorer
    cdef TransitionSystem system
    cdef Classes classes
    cdef EncodedBatch batch
    cdef const float* table            # the products: for each row, `slots` vectors of size `hidden_size`
    cdef vector[int] first_rows        # by sentence of the batch: the row of its first word
    cdef int row_count                 # rows of scores: the first for most transitions, one for each deep transition
    cdef vector[int] row_moves         # by row of scores: the deep transition
    cdef vector[int] words             # by row of scores and slot: a row of the table
    cdef vector[int] word_labels       # by row of scores and slot: a row of `labels`
    cdef vector[float] raw             # by row of scores: the scores of all classes
    cdef vector[double] scores         # the same as log-probabilities
    cdef vector[float] powers          # of the scores of the valid classes
    cdef vector[float] hidden
    cdef vector[int] active            # the hidden units that are not zero
    cdef vector[const float*] parts    # the vectors whose sum is the hidden layer

    cdef int _score_row(self, const Hypothesis* h, int move) except -1 nogil
    cdef int row_of(self, int move) noexcept nogil
    cdef void _normalise(self, const Hypothesis* h) noexcept nogil
    cdef double _explain(self, int row, const double* weights, list words, int first, list found) except? -1
