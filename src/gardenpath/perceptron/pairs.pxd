"""What neighbouring pairs of words have in common, where a system builds its arcs between the words of a pair (Covington)."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from gardenpath.core.configuration cimport Configuration
from gardenpath.features.encoding cimport EncodedSentence
from gardenpath.perceptron.extractor cimport Extractor, Reading
from gardenpath.perceptron.weights cimport Weights

# An arc that was scored and not built: what a word falls back on that ends up without a head.
cdef struct Offer:
    int head
    int label
    int32_t margin         # by how much the move fell short of the one that was made

# What one word of a pair has to say by itself: what templates found there, the keys, their scores.
cdef struct Kept:
    int64_t epoch          # of the weights that they were scored with
    int changes            # how many changes of arcs the keys had seen; NONE if they are of another sentence
    int count
    Reading reading
    uint64_t* keys
    int32_t* scores


cdef class Pairs:
    cdef char* block
    cdef int capacity
    cdef Kept* kept                # of the right word of the pair (0), and of each word as the left one
    cdef Offer* offers             # by word
    cdef Reading reading           # of the last pair
    cdef int right_word            # of that pair
    cdef int64_t epoch             # scores kept in an earlier one are out of date

    cdef int begin(self, int n, int templates, int classes) except -1 nogil
    cdef int _make_room(self, int n, int templates, int classes) except -1 nogil
    cdef void forget(self) noexcept nogil
    cdef int look(
        self, const Configuration* c, const EncodedSentence* sentence, Extractor extractor, Weights weights, uint64_t* keys, int32_t* both, int32_t* scores,
    ) noexcept nogil
    cdef Kept* _recall_right(self, const Configuration* c, const EncodedSentence* sentence, Extractor extractor, uint64_t* keys) noexcept nogil
    cdef Kept* _recall_left(self, const Configuration* c, const EncodedSentence* sentence, Extractor extractor, uint64_t* keys) noexcept nogil
    cdef Kept* _keep(self, Kept* kept, const uint64_t* keys, int count) noexcept nogil
    cdef const int32_t* _scores(self, Kept* kept, Weights weights) noexcept nogil
    cdef bint is_better(self, int word, int32_t margin) noexcept nogil
    cdef void offer(self, int word, int head, int label, int32_t margin) noexcept nogil
    cdef void take_offers(self, Configuration* c) noexcept nogil
