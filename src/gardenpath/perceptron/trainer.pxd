"""A parser that learns."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from gardenpath.features.encoding cimport Batch, EncodedSentence
from gardenpath.core.gold cimport Gold
from gardenpath.perceptron.growing cimport GrowingWeights
from gardenpath.perceptron.judge cimport Judge
from gardenpath.search.greedy cimport Choice, GreedyParser, Workspace


cdef class Trainer:
    cdef readonly GreedyParser parser
    cdef readonly int64_t steps            # decisions so far
    cdef readonly int64_t mistakes
    cdef GrowingWeights weights
    cdef Judge judge
    cdef Batch batch
    cdef Gold* gold
    cdef Py_ssize_t gold_count
    cdef Workspace space
    cdef uint64_t random                   # the state of the generator that exploration draws from
    cdef double explore                    # how likely a wrong prediction is followed
    cdef int32_t margin                    # how far ahead a right decision must be to need no update
    cdef object watch                      # who is shown every configuration
    cdef bint is_watched

    cdef int learn(self, int number) except -1 nogil
    cdef int show(self, const Gold* gold) except -1 with gil
    cdef bint compare(self, const EncodedSentence* sentence, const Gold* gold, Choice* wanted, Choice* rival) noexcept nogil
    cdef int _update(self, const EncodedSentence* sentence, Choice wanted, Choice rival) except -1 nogil
    cdef int _update_one(self, const EncodedSentence* sentence, int move, int good, int bad) except -1 nogil
    cdef bint _explores(self) noexcept nogil
