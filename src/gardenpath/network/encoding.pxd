"""Results of the sentence encoder, and its scratch memory."""

from libc.stdint cimport int8_t, int32_t
from libcpp.pair cimport pair
from libcpp.vector cimport vector

from gardenpath.core.given_tags cimport GivenTags, TagChoice
from gardenpath.network.lstm cimport LayerScratch, Sequences
from gardenpath.network.spelling cimport Form, FormScratch


cdef struct MissingWord:       # a word whose form is not in the cache
    int row
    int form                   # its number among the missing forms


cdef struct Rows:              # what a network has computed for the rows of a chunk
    vector[int8_t] words       # x, quantised
    vector[float] word_scales
    LayerScratch layers


cdef struct Chunk:             # sentences of similar length that are encoded together
    vector[pair[int, Py_ssize_t]] sentences    # all of the batch: negative length, number
    vector[Py_ssize_t] starts                  # the first word of each sentence of the batch
    vector[int] lengths                        # of the sentences of the chunk
    Sequences sequences
    vector[Py_ssize_t] numbers                 # of the words in the batch, by row
    vector[Rows] rows                          # by network of the ensemble
    vector[Form] forms                         # those that are missing in the cache
    vector[MissingWord] missing
    vector[int] slots                          # a hash table of the missing forms
    vector[int8_t] form_vectors
    vector[float] form_scales
    FormScratch form_scratch
    vector[float] scores                       # z of some words
    vector[float] lanes                        # scores of parts and tags
    vector[float] inputs                       # of the parser, of words with given tags, without their tags


cdef class Encoding:
    cdef readonly Py_ssize_t words
    cdef readonly int stride           # bytes from a parser vector to the next: its size, padded to a multiple of 4
    cdef vector[int32_t] tags
    cdef vector[float] probabilities   # of the tags
    cdef vector[int32_t] rules         # of lemmas
    cdef vector[int8_t] vectors        # v by word, quantised
    cdef vector[float] scales          # of the vectors
    cdef vector[TagChoice] given       # by word: the tags that it can get; empty if every word can get every tag
    cdef list owners                   # the `GivenTags` that these belong to
    cdef Chunk chunk                   # scratch memory

    cdef int give_tags(self, GivenTags given, int tags, Py_ssize_t first, Py_ssize_t words) except -1
    cdef int prepare(self, Py_ssize_t words, int size) except -1 nogil
    cdef int choose_rule(self, Py_ssize_t word, const float* scores, int count) except -2 nogil
