"""The interface between search and scorers."""

from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from gardenpath.core.given_tags cimport GivenTags
from gardenpath.parsing.hypothesis cimport Choice, Hypothesis
from gardenpath.systems.base cimport TransitionSystem
from gardenpath.systems.classes cimport Classes

# The scores of all classes: integers or real numbers, the other pointer is NULL.
cdef struct Scores:
    const int32_t* whole
    const double* real


cdef inline double score_at(Scores scores, int index) noexcept nogil:
    return scores.whole[index] if scores.whole != NULL else scores.real[index]


cdef class EncodedBatch:
    cdef readonly int size             # the number of sentences

    cdef int length(self, int sentence) noexcept nogil


cdef class WordBatch(EncodedBatch):
    cdef readonly list sentences       # lists of words
    cdef vector[int] lengths


cdef class Session:
    cdef readonly bint has_memory      # whether a state holds more than the configuration
    cdef readonly int rows             # the maximum number of configurations in one call of `score`

    cdef int begin(self, const int* sentences, int count) except -1 nogil
    cdef int start(self, Hypothesis* h) except -1 nogil
    cdef int score(self, Hypothesis** hypotheses, int count) except -1 nogil
    cdef Scores scores_of(self, const Hypothesis* h, int move) noexcept nogil
    cdef int tell(self, Hypothesis* h, Choice choice, int head, int dependent) except -1 nogil
    cdef int copy(self, int target, int source) except -1 nogil
    cdef int drop(self, int slot) except -1 nogil
    cdef list reasons(self, const Hypothesis* h, Choice choice, Choice other, list words)


cdef class Scorer:
    cdef readonly TransitionSystem system
    cdef readonly Classes classes

    cpdef EncodedBatch encode(self, list sentences)
    cpdef EncodedBatch encode_given(self, list sentences, GivenTags tags=*)
    cpdef DraftEncoder draft_encoder(self, tags)
    cdef Session open(self, EncodedBatch batch, int slots, bint is_contiguous)


cdef class ZeroScorer(Scorer):
    pass


cdef class ZeroSession(Session):
    cdef vector[double] zeros


cdef class DraftEncoder:
    cdef Scorer scorer
    cdef list tags                     # triples of UPOS, XPOS, FEATS

    cpdef EncodedBatch encode(self, list drafts)
