"""Lemmas of tagged words."""

from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from gardenpath.perceptron.weights cimport Weights
from gardenpath.tagging.edits cimport Edits
from gardenpath.tagging.lexicon cimport Lexicon
from gardenpath.tagging.spelling cimport Traits
from gardenpath.tagging.window cimport Window


cdef class Lemmatizer:
    cdef readonly Edits edits
    cdef readonly Lexicon lexicon      # the rules of forms with a tag, by number from 1
    cdef readonly Window window
    cdef readonly Weights weights      # of the first rules; the others are for the lexicon alone

    cdef int choose(self, const Traits* word, int characters, int32_t* scores) noexcept nogil
    cdef int guess(self, const Traits* word, int characters, int32_t* scores) noexcept nogil
    cdef int write(self, const Traits* word, const char* form, int length, int32_t* scores, vector[char]* lemma) except -1 nogil


cdef uint64_t pair_key(const Traits* word) noexcept nogil
