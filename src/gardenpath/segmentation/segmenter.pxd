"""The segmenter: tokenization, sentence splitting and multi-word tokens with perceptrons."""

from libc.stdint cimport uint8_t
from libcpp.vector cimport vector

from gardenpath.perceptron.weights cimport Weights
from gardenpath.core.draft cimport Draft
from gardenpath.segmentation.decision cimport Decision
from gardenpath.segmentation.expansion cimport Expansion, Form
from gardenpath.segmentation.passage cimport Character, PassageToken
from gardenpath.segmentation.sentence_ends cimport SentenceEnds
from gardenpath.segmentation.token_ends cimport TokenEnds
from gardenpath.segmentation.tokenizer cimport Tokenizer


cdef class Segmenter(Tokenizer):
    cdef readonly TokenEnds token_ends
    cdef readonly SentenceEnds sentence_ends
    cdef readonly Expansion expansion
    cdef readonly dict weights         # FrozenWeights by name
    cdef Decision ends_token
    cdef Decision ends_sentence
    cdef Weights expands

    cdef int _write(
        self, Draft draft, const Character* passage, const vector[PassageToken]& tokens, const vector[uint8_t]& ends,
        bint opens_paragraph, Form* form
    ) except -1 nogil
