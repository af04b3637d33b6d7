"""Greedy parsing: the best-scoring permitted move, again and again."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t

from gardenpath.core.classes cimport Classes
from gardenpath.core.configuration cimport Configuration
from gardenpath.core.encoding cimport EncodedSentence, Encoder
from gardenpath.features.extractor cimport PARTS, Extractor, Reading
from gardenpath.learning.weights cimport MAX_KEYS, Weights
from gardenpath.systems.base cimport Configuration as PythonConfiguration, TransitionSystem

cdef struct Choice:
    int move
    int label
    int index              # the class
    int32_t score


# An arc that was scored and not built: what a word falls back on that ends up without a head.
cdef struct Offer:
    int head
    int label
    int32_t margin         # by how much the move fell short of the one that was made

# What the left word of a pair, or the right one, has to say by itself: what templates found there, the keys, their scores.
cdef struct Kept:
    int64_t epoch          # of the weights that they were scored with
    int changes            # how many changes of arcs the keys had seen; NONE if they are of another sentence
    int count
    Reading reading
    uint64_t* keys
    int32_t* scores


cdef class Workspace:
    cdef Configuration c
    cdef int* moves                    # the permitted ones
    cdef int move_count
    cdef int move_capacity
    cdef uint64_t keys[MAX_KEYS]       # of the configuration as all moves but deep ones see it
    cdef int key_count
    cdef uint64_t deep_keys[MAX_KEYS]  # of the configuration as one deep move sees it
    cdef int32_t* scores
    cdef int32_t* part_scores[PARTS]   # their parts, which deep moves share
    cdef int32_t* deep_scores
    cdef Kept* kept                    # where arcs lie between pairs: of the right word of the pair (0) and of each word as the left one
    cdef int kept_capacity
    cdef char* kept_block
    cdef Offer* offers                 # there too, by word
    cdef Reading reading               # of the last pair
    cdef int right_word                # of that pair; its keys are the first ones
    cdef int64_t epoch                 # what was kept in an earlier one is out of date

    cdef int make_room(self, int n, int moves) except -1 nogil
    cdef int make_room_for_pairs(self, int n, int templates, int classes) except -1 nogil
    cdef void forget(self) noexcept nogil


cdef class GreedyParser:
    cdef readonly TransitionSystem system
    cdef readonly Classes classes
    cdef readonly Extractor extractor
    cdef readonly Weights weights
    cdef readonly Encoder encoder
    cdef readonly bint single_root
    cdef readonly str nonprojective    # what training did with trees that the system cannot build
    cdef int8_t[::1] is_marked         # by label: is it decorated?

    cdef int begin(self, Workspace space, const EncodedSentence* sentence) except -1 nogil
    cdef void look(self, Workspace space, const EncodedSentence* sentence) noexcept nogil
    cdef void _look_at_pair(self, Workspace space, const EncodedSentence* sentence) noexcept nogil
    cdef const int32_t* _recall(self, Workspace space, Kept* kept, const uint64_t* keys, int count) noexcept nogil
    cdef const int32_t* _rescore(self, Workspace space, Kept* kept) noexcept nogil
    cdef const int32_t* _recall_right(self, Workspace space, const EncodedSentence* sentence) noexcept nogil
    cdef const int32_t* _recall_left(self, Workspace space, const EncodedSentence* sentence) noexcept nogil
    cdef const int32_t* scores_of(self, Workspace space, const EncodedSentence* sentence, int move) noexcept nogil
    cdef bint only_choice(self, Workspace space, Choice* choice) noexcept nogil
    cdef int32_t consider(self, Workspace space, const EncodedSentence* sentence, int move, Choice* best) noexcept nogil
    cdef Choice best(self, Workspace space, const EncodedSentence* sentence) noexcept nogil
    cdef void _offer(self, Workspace space, int move, int32_t top, int32_t best) noexcept nogil
    cdef void make(self, Workspace space, Choice choice) noexcept nogil
    cdef void finish(self, Workspace space) noexcept nogil
    cdef void _take_offers(self, Workspace space) noexcept nogil
    cdef PythonConfiguration snapshot(self, Workspace space)
    cdef int parse_sentence(self, Workspace space, const EncodedSentence* sentence) except -1 nogil
