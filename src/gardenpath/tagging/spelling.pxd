"""What is known of a word before and after it is tagged, as hashed values: what its form shows, what the dictionary says, its tag."""

from libc.stdint cimport uint64_t

cdef enum:
    PREFIXES = 4           # the longest prefix, in characters
    SUFFIXES = 5

cdef enum:                 # properties; 0 is the value of what a word does not have
    FORM
    LOWER                  # the form in lower case, digits made alike; so are prefixes and suffixes
    SHAPE
    PREFIX
    SUFFIX = PREFIX + PREFIXES
    INITIAL = SUFFIX + SUFFIXES    # is the word the first one?
    POSSIBLE               # the tags that the dictionary has for the form (or its lower case): the set of them
    POSSIBLE_UPOS          # the set of their UPOS
    LIKELY                 # the most frequent one
    CLUSTER                # the whole bit string
    CLUSTER6               # the first bits of it
    CLUSTER4
    UPOS                   # of the tag, once the word has one
    XPOS
    FEATS
    TAG                    # UPOS, XPOS and FEATS together
    PROPERTIES

cdef struct Traits:
    uint64_t values[PROPERTIES]
    int entry              # where the dictionary's tags for the form begin; 0 if it does not have it


cdef void read_spelling(const char* form, int length, uint64_t* values) noexcept nogil
