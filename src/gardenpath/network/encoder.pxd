"""The sentence encoder of the network."""

from libc.stdint cimport int8_t, uint64_t

from gardenpath.network.encoding cimport Chunk, Encoding
from gardenpath.network.heads cimport Heads
from gardenpath.network.lstm cimport Layer
from gardenpath.network.spelling cimport FormEncoder


cdef extern from "cache.h" namespace "gp" nogil:
    cppclass FormCache:
        void set(size_t forms, int vector_size) except +
        bint find(uint64_t hash, const char* form, int length, int8_t* vector, float* scale)
        void add(uint64_t hash, const char* form, int length, const int8_t* vector, float scale)


cdef class NativeEncoder:
    cdef readonly FormEncoder forms
    cdef readonly Layer layers         # the first layer, which runs those above it
    cdef readonly Heads heads
    cdef int states                    # size of the states of the highest layer
    cdef FormCache cache

    cdef int run(self, const char** forms, const int* lengths, const int* sentence_lengths, Py_ssize_t sentences,
                 Encoding encoding) except -1 nogil
    cdef int _set_chunk(self, Chunk* chunk, Py_ssize_t first, Py_ssize_t end) except -1 nogil
    cdef int _read_words(self, const char** forms, const int* lengths, Chunk* chunk) except -1 nogil
    cdef int _encode_forms(self, Chunk* chunk) except -1 nogil
