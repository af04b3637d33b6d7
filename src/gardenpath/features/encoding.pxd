"""Encoded sentences: one hashed value per word and property."""

from libc.stdint cimport uint64_t

from gardenpath.features.clusters cimport Clusters

cdef struct EncodedSentence:
    int n
    uint64_t* values       # property p of word w: values[p * (n + 2) + w + 1]; 0 if missing, also for the word NONE


cdef inline uint64_t value(const EncodedSentence* sentence, int prop, int word) noexcept nogil:
    return sentence.values[prop * (sentence.n + 2) + word + 1]


cdef enum Kind:
    WHOLE                  # the whole column
    INITIAL                # the first characters
    ENDING                 # the last characters
    FEATURE                # one feature of FEATS
    CLUSTER                # the first bits of the form's cluster

cdef struct Property:
    Kind kind
    bint is_of_form        # whether it is derived from FORM, not from UPOS, XPOS or FEATS
    int characters         # for INITIAL and ENDING: number of characters
    int bits               # for CLUSTER: number of bits; 0 means all
    const char* key        # for FEATURE: the name, followed by `=`
    Py_ssize_t key_length


cdef class Batch:
    cdef EncodedSentence* sentences
    cdef uint64_t* block
    cdef readonly int size

    cdef int reserve(self, int sentences, Py_ssize_t values) except -1


cdef class Encoder:
    cdef readonly tuple properties
    cdef readonly Clusters clusters    # None without clusters
    cdef int width                     # number of properties
    cdef list columns                  # by property: the column that it is read from
    cdef list keys                     # owns the strings that Property.key points to
    cdef Property* codes

    cdef int _compile(self, Property* code, str name) except -1
    cpdef Batch encode(self, list sentences)
    cdef int fill(self, EncodedSentence* sentence, words) except -1
    cdef uint64_t value_of(self, int number, const char* text, Py_ssize_t length) noexcept nogil
    cdef void mark_root(self, EncodedSentence* sentence) noexcept nogil
    cdef void take_tag(self, EncodedSentence* sentence, int word, const EncodedSentence* tags, int tag) noexcept nogil
