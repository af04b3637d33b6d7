"""A network of an ensemble, up to the states of its sentence encoder."""

from libc.stdint cimport int8_t, uint64_t

from gardenpath.network.encoding cimport Chunk
from gardenpath.network.kernels cimport Matrix
from gardenpath.network.lstm cimport Layer
from gardenpath.network.spelling cimport FormEncoder


cdef extern from "cache.h" namespace "gp" nogil:
    cppclass FormCache:
        void set(size_t forms, int vector_size) except +
        bint find(uint64_t hash, const char* form, int length, int8_t* vector, float* scale)
        void add(uint64_t hash, const char* form, int length, const int8_t* vector, float scale)


cdef class Member:
    cdef readonly FormEncoder forms
    cdef readonly Layer layers         # the first layer, which runs those above it
    cdef readonly Member other         # the next network of the ensemble, or None
    cdef int number                    # from 0
    cdef int states                    # size of the states of the highest layer
    cdef int outputs                   # of the whole ensemble: the size of z
    cdef int first_own                 # the first output that this network computes alone
    cdef Matrix state_scores           # B for h and for x: the scores of tags and lemma rules,
    cdef Matrix word_scores
    cdef Matrix state_vector           # and the network's part of the parser's vector
    cdef Matrix word_vector
    cdef FormCache cache

    cdef int run(self, const char** forms, const int* lengths, Chunk* chunk) except -1 nogil
    cdef void score(self, const Chunk* chunk, int first, int rows, const float* bias, float* scores) noexcept nogil
    cdef void _multiply(self, Matrix state, Matrix word, const Chunk* chunk, int first, int rows, const float* bias,
                        bint add, float* out) noexcept nogil
    cdef int _read_words(self, const char** forms, const int* lengths, Chunk* chunk) except -1 nogil
    cdef int _encode_forms(self, Chunk* chunk) except -1 nogil
