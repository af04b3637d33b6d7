"""The averaged perceptron as a scorer."""

from libc.stdint cimport int32_t, uint64_t

from gardenpath.features.encoding cimport Batch, EncodedSentence, Encoder
from gardenpath.perceptron.extractor cimport PARTS, Extractor
from gardenpath.perceptron.pairs cimport Pairs
from gardenpath.perceptron.reasons cimport FeatureReasons
from gardenpath.perceptron.weights cimport MAX_KEYS, Weights
from gardenpath.parsing.hypothesis cimport Hypothesis
from gardenpath.parsing.scorer cimport DraftEncoder, EncodedBatch, Scorer, Session
from gardenpath.systems.base cimport TransitionSystem


cdef class HashedBatch(EncodedBatch):
    cdef Batch batch


cdef class Perceptron(Scorer):
    cdef readonly Extractor extractor
    cdef readonly Weights weights
    cdef readonly Encoder encoder
    cdef FeatureReasons feature_reasons


cdef class PerceptronSession(Session):
    cdef TransitionSystem system
    cdef Extractor extractor
    cdef Weights weights
    cdef FeatureReasons feature_reasons
    cdef Batch batch
    cdef bint is_contiguous
    cdef int width                     # classes, rounded up
    cdef uint64_t keys[MAX_KEYS]       # of the configuration as all transitions except deep ones see it
    cdef int key_count
    cdef uint64_t deep_keys[MAX_KEYS]  # of the configuration as one deep transition sees it
    cdef int32_t* totals
    cdef int32_t* parts[PARTS]         # of the totals; deep transitions share some of them
    cdef int32_t* deep_totals
    cdef Pairs pairs

    cdef void _score_parts(self, const Hypothesis* h, const EncodedSentence* sentence) noexcept nogil
    cdef int extract(self, const Hypothesis* h, int move) noexcept nogil
