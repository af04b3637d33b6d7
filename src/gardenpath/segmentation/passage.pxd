"""A passage of text as characters and tokens, with the values that features are built from."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libcpp.vector cimport vector

cdef struct Character:         # a character other than whitespace; a chunk is a run of such characters
    uint32_t point
    uint32_t lower
    uint32_t kind
    int start                  # first byte in the text
    int end                    # the byte after the last one
    int position               # number of characters before it in the text
    bint spaced                # whether it is the first character of a chunk
    uint64_t rest              # hash of the chunk from here on, in lower case
    uint64_t shape             # hash of the kinds from here on, without repetitions
    uint64_t kinds             # the set of kinds from here on

cdef struct PassageToken:
    int begin                  # index of its first character in the passage
    int end                    # index after its last character
    uint64_t lower             # hash of its form in lower case
    uint64_t cased             # hash of its form
    uint64_t shape             # hash of its kinds, without repetitions
    uint64_t suffix            # hash of its last characters in lower case
    uint32_t first             # kind of its first character
    uint32_t last              # kind of its last character
    bint spaced                # whether whitespace precedes it
    int ahead                  # distance in tokens to the next token that ends in sentence-final punctuation

cdef struct TextCursor:        # how far a text has been read
    Py_ssize_t byte
    int position
    bint opens_paragraph       # whether the last passage read begins a paragraph


cdef inline bint is_stop(uint32_t kind) noexcept nogil:
    """Return whether the kind is a punctuation mark that ends sentences in most scripts."""
    return (
        kind == c"." or kind == c"!" or kind == c"?" or kind == 0x2026 or kind == 0x3002 or kind == 0x0964
        or kind == 0x061F
    )


cdef inline int chunk_end(const Character* c, int size, int at) noexcept nogil:
    """Return the index after the last character of the chunk of a character."""
    at += 1
    while at < size and not c[at].spaced:
        at += 1
    return min(at, size)


cdef bint read_passage(
    const char* utf8, Py_ssize_t length, TextCursor* cursor, bint by_line, vector[Character]& passage
) except -1 nogil
cdef int gather_tokens(
    const vector[Character]& passage, const vector[uint8_t]& ends, vector[PassageToken]& tokens
) except -1 nogil
