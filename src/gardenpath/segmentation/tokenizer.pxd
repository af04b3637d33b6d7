"""The interface of all tokenizers."""

from gardenpath.core.draft cimport Draft


cdef class Tokenizer:
    cdef int segment(self, Draft draft, bint by_line) except -1 nogil
