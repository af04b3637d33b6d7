"""Lemmatization of tagged words."""

from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from gardenpath.core.lexicon cimport Lexicon
from gardenpath.perceptron.weights cimport Weights
from gardenpath.tagging.edits cimport Edits
from gardenpath.tagging.spelling cimport Traits
from gardenpath.tagging.window cimport Window


cdef class Lemmatizer:
    cdef readonly Edits edits
    cdef readonly Lexicon lexicon      # pairs of form and tag, with the number of their rule + 1
    cdef readonly Window window
    cdef readonly Weights weights      # for the first rules; the other rules occur only in the lexicon

    cdef int choose(self, const Traits* word, int characters, int32_t* scores) noexcept nogil
    cdef int guess(self, const Traits* word, int characters, int32_t* scores) noexcept nogil
    cdef int write(
        self, const Traits* word, const char* form, int length, int32_t* scores, vector[char]* lemma
    ) except -1 nogil


cdef uint64_t pair_key(const Traits* word) noexcept nogil
