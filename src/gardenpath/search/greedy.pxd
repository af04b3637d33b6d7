"""Greedy parsing: the best-scoring permitted move, again and again."""

from libc.stdint cimport int32_t, uint64_t

from gardenpath.core.classes cimport Classes
from gardenpath.core.configuration cimport Configuration
from gardenpath.core.encoding cimport EncodedSentence, Encoder
from gardenpath.features.extractor cimport Extractor
from gardenpath.learning.weights cimport MAX_KEYS, Weights
from gardenpath.systems.base cimport TransitionSystem

cdef struct Choice:
    int move
    int label
    int index              # the class


cdef class Workspace:
    cdef Configuration c
    cdef uint64_t keys[MAX_KEYS]
    cdef int key_count
    cdef int32_t* scores


cdef class GreedyParser:
    cdef readonly TransitionSystem system
    cdef readonly Classes classes
    cdef readonly Extractor extractor
    cdef readonly Weights weights
    cdef readonly Encoder encoder
    cdef readonly bint single_root

    cdef int begin(self, Workspace space, const EncodedSentence* sentence) except -1 nogil
    cdef void look(self, Workspace space, const EncodedSentence* sentence) noexcept nogil
    cdef bint only_choice(self, const Configuration* c, unsigned permitted, Choice* choice) noexcept nogil
    cdef Choice best(self, const Configuration* c, unsigned permitted, const int32_t* scores) noexcept nogil
    cdef void make(self, Workspace space, Choice choice) noexcept nogil
    cdef void finish(self, Configuration* c) noexcept nogil
    cdef int parse_sentence(self, Workspace space, const EncodedSentence* sentence) except -1 nogil
