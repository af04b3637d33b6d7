"""The properties of a word as hashed values: from its form, from the dictionary, and from its tag."""

from libc.stdint cimport uint64_t

cdef enum:
    PREFIXES = 4           # length of the longest prefix, in characters
    SUFFIXES = 5           # length of the longest suffix, in characters

cdef enum:                 # properties; the value 0 means that the word does not have the property
    FORM
    LOWER                  # the form in lower case, with 0 for every digit; prefixes and suffixes likewise
    SHAPE
    PREFIX
    SUFFIX = PREFIX + PREFIXES
    INITIAL = SUFFIX + SUFFIXES    # whether the word is the first of its sentence
    POSSIBLE               # the set of tags that the dictionary has for the form, or for its lower case
    POSSIBLE_UPOS          # the set of their UPOS
    LIKELY                 # the most frequent of these tags
    CLUSTER                # the whole bit string of the cluster
    CLUSTER6               # its first six bits
    CLUSTER4               # its first four bits
    UPOS                   # this and the following are set once the word has a tag
    XPOS
    FEATS
    TAG                    # UPOS, XPOS and FEATS together
    OPENING                # the first word of the sentence in lower case
    PROPERTIES

cdef struct Traits:
    uint64_t values[PROPERTIES]
    int entry              # start of the form's entry in the dictionary; 0 if it has none


cdef void read_spelling(const char* form, int length, uint64_t* values) noexcept nogil
