"""The training walk of the network."""

from libc.stdint cimport int8_t
from libcpp.vector cimport vector

from gardenpath.network.slots cimport SlotScorer, SlotSession
from gardenpath.parsing.hypothesis cimport Hypothesis
from gardenpath.parsing.scorer cimport WordBatch
from gardenpath.parsing.walk cimport TrainingWalk


cdef class TableBatch(WordBatch):
    cdef const float[:, ::1] table


cdef class GivenScorer(SlotScorer):
    cdef readonly object products      # a function from sentences to the table of products, or None

    cdef int require_table(self, const float[:, ::1] table, int rows) except -1


cdef class NetworkWalk(TrainingWalk):
    cdef GivenScorer scorer
    cdef SlotSession slots
    cdef vector[int] words             # by recorded row and slot: a row of the table of products
    cdef vector[int] labels            # by recorded row and slot: a row of the table of labels
    cdef vector[int] decisions         # by recorded row: the number of its decision
    cdef vector[int8_t] marks          # by recorded row and class: INVALID, VALID or ACCEPTED
    cdef int decision_count
    cdef int first_decision            # of the current sentence
    cdef int mistakes

    cdef int _mark(self, Hypothesis* h, int8_t* marks) except -1 nogil
