"""Scores that neighbouring pairs of words share, for Covington's systems."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from gardenpath.core.configuration cimport Configuration
from gardenpath.features.encoding cimport EncodedSentence
from gardenpath.perceptron.extractor cimport Extractor, Reading
from gardenpath.perceptron.weights cimport Weights

# The reading, the keys and the scores of the templates that use only one word of a pair.
cdef struct Kept:
    int64_t version        # version of the weights that the scores were computed with
    int changes            # number of arc changes at the time of reading; NONE if it was in another sentence
    int count              # number of keys
    Reading reading
    uint64_t* keys
    int32_t* scores


cdef class Pairs:
    cdef char* block
    cdef int capacity
    cdef Kept* kept                # index 0: the right word of the pair; others: each word as the left one
    cdef Reading reading           # the last pair
    cdef int right_word            # the right word of the last pair
    cdef int64_t version           # version of the weights; scores of earlier versions are out of date

    cdef int begin(self, int n, int templates, int classes) except -1 nogil
    cdef int _make_room(self, int n, int templates, int classes) except -1 nogil
    cdef void forget(self) noexcept nogil
    cdef int look(
        self, const Configuration* c, const EncodedSentence* sentence, Extractor extractor, Weights weights,
        uint64_t* keys, int32_t* both, int32_t* scores,
    ) noexcept nogil
    cdef Kept* _recall_right(
        self, const Configuration* c, const EncodedSentence* sentence, Extractor extractor, uint64_t* keys
    ) noexcept nogil
    cdef Kept* _recall_left(
        self, const Configuration* c, const EncodedSentence* sentence, Extractor extractor, uint64_t* keys
    ) noexcept nogil
    cdef Kept* _keep(self, Kept* kept, const uint64_t* keys, int count) noexcept nogil
    cdef const int32_t* _scores(self, Kept* kept, Weights weights) noexcept nogil
