"""The tagger."""

from libc.stdint cimport int32_t, uint32_t

from gardenpath.features.clusters cimport Clusters
from gardenpath.perceptron.weights cimport Weights
from gardenpath.core.draft cimport Draft, DraftSentence
from gardenpath.core.margins cimport TagMargins
from gardenpath.tagging.lemmas cimport Lemmatizer
from gardenpath.tagging.spelling cimport Traits
from gardenpath.tagging.tag_dictionary cimport TagDictionary
from gardenpath.tagging.tagset cimport Tagset
from gardenpath.tagging.window cimport Window


cdef class Tagger:
    cdef readonly Tagset tagset
    cdef readonly TagDictionary dictionary
    cdef readonly Window window
    cdef readonly Weights weights
    cdef readonly Lemmatizer lemmatizer    # None if the treebank had no lemmas
    cdef readonly Clusters clusters        # None without clusters
    cdef readonly bint has_lemmas
    cdef bint has_clusters

    cdef int tag_draft(self, Draft draft) except -1 nogil
    cdef void read(
        self, Draft draft, const DraftSentence* sentence, Traits* words, const int32_t* without
    ) noexcept nogil
    cdef int choose(
        self, const Traits* word, const uint32_t* tags, int count, int32_t* scores, TagMargins* margins
    ) noexcept nogil
    cdef void _read_cluster(self, const char* form, int length, Traits* word) noexcept nogil
    cdef int _lemmatize(
        self, Draft draft, const DraftSentence* sentence, const Traits* words, int32_t* scores
    ) except -1 nogil
