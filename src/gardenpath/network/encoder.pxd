"""The sentence encoder of the network."""

from gardenpath.network.encoding cimport Chunk, Encoding
from gardenpath.network.heads cimport Heads
from gardenpath.network.member cimport Member


cdef class NativeEncoder:
    cdef readonly int count            # of the networks of the ensemble
    cdef readonly Member networks      # the first one, which runs those after it
    cdef readonly Heads heads

    cdef int run(self, const char** forms, const int* lengths, const int* sentence_lengths, Py_ssize_t sentences,
                 Encoding encoding) except -1 nogil
    cdef int _set_chunk(self, Chunk* chunk, Py_ssize_t first, Py_ssize_t end) except -1 nogil
    cdef int _run_heads(self, Chunk* chunk, Encoding encoding) except -1 nogil
