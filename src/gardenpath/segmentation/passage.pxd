"""A passage of text, character by character and token by token, with all that decisions look at."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libcpp.vector cimport vector

cdef struct Character:         # whitespace is none; a chunk is what stands between whitespace
    uint32_t point
    uint32_t lower
    uint32_t kind
    int start                  # where it begins in the text, in bytes
    int end                    # where it ends
    int position               # how many characters of the text stand before it
    bint spaced                # does a chunk begin with it?
    uint64_t rest              # the chunk from here on, in lower case
    uint64_t shape             # the kinds from here on, repetitions left out
    uint64_t kinds             # the set of kinds from here on

cdef struct Piece:             # a token
    int begin                  # its characters in the passage: from here
    int end                    # up to here
    uint64_t lower             # its form in lower case
    uint64_t cased             # its form
    uint64_t shape             # its kinds, repetitions left out
    uint64_t suffix            # its last characters in lower case
    uint32_t first             # the kinds of its first character
    uint32_t last              # and its last
    bint spaced                # does whitespace stand before it?
    int ahead                  # how many tokens on does one end with a full stop or the like?

cdef struct Place:             # how far a text has been read
    Py_ssize_t byte
    int position
    bint opens_paragraph       # does the passage just read open a paragraph?


cdef inline bint is_stop(uint32_t kind) noexcept nogil:
    """Is it one of the marks that most scripts end a sentence with?"""
    return kind == c"." or kind == c"!" or kind == c"?" or kind == 0x2026 or kind == 0x3002 or kind == 0x0964 or kind == 0x061F


cdef bint read_passage(const char* utf8, Py_ssize_t length, Place* place, bint by_line, vector[Character]& passage) except -1 nogil
cdef int gather_pieces(const vector[Character]& passage, const vector[uint8_t]& ends, vector[Piece]& pieces) except -1 nogil
