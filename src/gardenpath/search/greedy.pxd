"""Greedy parsing: the best-scoring permitted move, again and again."""

from libc.stdint cimport int8_t, int32_t, uint64_t

from gardenpath.systems.classes cimport Classes
from gardenpath.core.configuration cimport Configuration
from gardenpath.features.encoding cimport EncodedSentence, Encoder
from gardenpath.perceptron.extractor cimport PARTS, Extractor
from gardenpath.perceptron.weights cimport MAX_KEYS, Weights
from gardenpath.perceptron.pairs cimport Pairs
from gardenpath.systems.base cimport Configuration as PythonConfiguration, TransitionSystem

cdef struct Choice:
    int move
    int label
    int index              # the class
    int32_t score


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
    cdef Pairs pairs
    cdef bint is_afresh                # is each configuration scored by itself, though it may be the neighbour of the last one?

    cdef int make_room(self, int n, int moves) except -1 nogil
    cdef int reserve_moves(self, int moves) except -1 nogil


cdef class GreedyParser:
    cdef readonly TransitionSystem system
    cdef readonly Classes classes
    cdef readonly Extractor extractor
    cdef readonly Weights weights
    cdef readonly Encoder encoder
    cdef readonly bint single_root
    cdef readonly int width            # of the beam; 1 is none
    cdef readonly str nonprojective    # what training did with trees that the system cannot build
    cdef int8_t[::1] is_marked         # by label: is it decorated?

    cdef Workspace workspace(self)
    cdef int begin(self, Workspace space, const EncodedSentence* sentence) except -1 nogil
    cdef int resume(self, Workspace space, const EncodedSentence* sentence) except -1 nogil
    cdef void look(self, Workspace space, const EncodedSentence* sentence) noexcept nogil
    cdef const int32_t* scores_of(self, Workspace space, const EncodedSentence* sentence, int move) noexcept nogil
    cdef bint only_choice(self, Workspace space, Choice* choice) noexcept nogil
    cdef int32_t consider(self, Workspace space, const EncodedSentence* sentence, int move, Choice* best) noexcept nogil
    cdef Choice best(self, Workspace space, const EncodedSentence* sentence) noexcept nogil
    cdef void _offer(self, Workspace space, int move, int32_t top, int32_t best) noexcept nogil
    cdef void note_refused(self, Workspace space, const EncodedSentence* sentence, Choice choice) noexcept nogil
    cdef void _note_offers(self, Workspace space, const int32_t* tops, Choice choice) noexcept nogil
    cdef int remembered(self, Workspace space, int move) noexcept nogil
    cdef void make(self, Workspace space, Choice choice) noexcept nogil
    cdef void finish(self, Workspace space) noexcept nogil
    cdef PythonConfiguration snapshot(self, Workspace space)
    cdef int run(self, Workspace space, const EncodedSentence* sentence) except -1 nogil
    cdef tuple tree_in(self, Workspace space)
    cdef int parse_sentence(self, Workspace space, const EncodedSentence* sentence) except -1 nogil
