"""Derivations under way, and what the network has to compute for them."""

from libc.stdint cimport int64_t

from gardenpath.core.configuration cimport Configuration
from gardenpath.neural.records cimport Records
from gardenpath.neural.rules cimport Choice, Rules

cdef enum:
    SLOTS = 8              # of a configuration: stack summary, history, three words of the stack, three of the buffer

# The first node vectors belong to no word.
cdef enum:
    NO_STACK_WORD
    NO_BUFFER_WORD
    ROOT_NODE
    FIRST_TOKEN

cdef struct Element:       # of the stack, as the LSTM has read it
    int word
    int64_t node
    int64_t state

cdef struct Item:
    Configuration c
    int sentence
    int64_t* nodes         # by word: its present vector
    Element* elements
    int read               # elements that the LSTM has read, from the bottom; those above the top of the stack may come back as they were
    int64_t history
    int capacity
    bint finished
    double score           # the sum of the log-probabilities of scored moves
    int scored             # how many there were
    int link               # the last of them, in the search's list; NONE: none yet


cdef class Board:
    cdef readonly Rules rules
    cdef readonly Records compositions     # head, child, the one of the two that is renewed; label
    cdef readonly Records pushes           # state below; node
    cdef readonly Records histories        # state before; class
    cdef readonly list lengths             # of the sentences
    cdef Item* items
    cdef int size
    cdef int64_t[::1] first_tokens         # by sentence

    cdef int begin(self, Item* item, int sentence) except -1 nogil
    cdef int make(self, Item* item, Choice choice) except -1 nogil
    cdef int run_ahead(self, Item* item) except -1 nogil
    cdef int _compose(self, Item* item, int head, int child) except -1 nogil
    cdef int _read_stack(self, Item* item) except -1 nogil
    cdef void slots(self, const Item* item, int64_t* slots) noexcept nogil
    cdef tuple tree_of(self, Item* item, bint single_root)


cdef int copy_item(Item* target, const Item* source) except -1 nogil
