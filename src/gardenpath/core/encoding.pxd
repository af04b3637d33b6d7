"""Sentences as numbers: one hashed value a word and property."""

from libc.stdint cimport uint64_t

cdef struct EncodedSentence:
    int n
    uint64_t* values       # property p of word w: values[p * (n + 2) + w + 1]; 0 is nothing there, so NONE needs no test


cdef inline uint64_t value(const EncodedSentence* sentence, int prop, int word) noexcept nogil:
    return sentence.values[prop * (sentence.n + 2) + word + 1]


cdef class Batch:
    cdef EncodedSentence* sentences
    cdef uint64_t* block
    cdef readonly int size


cdef class Encoder:
    cdef readonly tuple properties
    cdef list columns      # (column name, kind, argument) a property

    cpdef Batch encode(self, list sentences)
    cdef int fill(self, EncodedSentence* sentence, words) except -1
