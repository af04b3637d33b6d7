"""The native network as a scorer and as a tagger."""

from libc.stdint cimport int8_t, uint64_t
from libcpp.vector cimport vector

from gardenpath.core.draft cimport Draft
from gardenpath.core.lexicon cimport Lexicon
from gardenpath.core.membership cimport BloomFilter
from gardenpath.network.encoder cimport NativeEncoder
from gardenpath.network.encoding cimport Encoding
from gardenpath.network.kernels cimport Matrix
from gardenpath.network.slots cimport SlotScorer, SlotSession
from gardenpath.parsing.scorer cimport EncodedBatch
from gardenpath.tagging.edits cimport Edits


cdef class LemmaEncoding(Encoding):
    cdef Edits edits
    cdef Lexicon lexicon               # of rules, by form and tag
    cdef BloomFilter lemmas            # of the treebank
    cdef const char** forms            # of the words
    cdef const int* lengths            # of the forms, in bytes
    cdef vector[int] characters        # by word: the number of characters of its form
    cdef vector[uint64_t] hashes       # by word: the hash of its form
    cdef vector[char] lemma            # scratch memory

    cdef int _best_rule(self, Py_ssize_t word, const float* scores, int count) noexcept nogil
    cdef bint _gives_known_lemma(self, int rule, Py_ssize_t word) except -1 nogil


cdef class VectorBatch(EncodedBatch):
    cdef LemmaEncoding encoding
    cdef vector[int] lengths           # of the sentences
    cdef vector[Py_ssize_t] first      # by sentence: its first word


cdef class NativeNetwork(SlotScorer):
    cdef readonly NativeEncoder encoder
    cdef readonly list tags            # triples of UPOS, XPOS and FEATS
    cdef Edits edits
    cdef Lexicon lexicon
    cdef BloomFilter lemmas
    cdef Matrix products
    cdef const float[:, ::1] special   # the products of a missing word and of the root
    cdef object stored                 # the arrays of the model file

    cdef int run(self, VectorBatch batch, vector[const char*]* forms, vector[int]* lengths) except -1 nogil
    cdef VectorBatch encode_drafts(self, list drafts)


cdef class NativeSession(SlotSession):
    cdef NativeNetwork network
    cdef VectorBatch vectors
    cdef vector[float] products        # the table
    cdef vector[int8_t] vector_rows    # word vectors of the sentences that begin
    cdef vector[float] scales

    cdef int rows_of(self, size_t words, size_t stride, size_t width) except -1 nogil


cdef class NetworkTagger:
    cdef readonly NativeNetwork network

    cdef int _write(self, Draft draft, VectorBatch batch, Py_ssize_t first) except -1 nogil
