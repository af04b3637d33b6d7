# cython: boundscheck=False, wraparound=False
"""Reading passages: the parts of a text between blank lines, or its lines."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libcpp.vector cimport vector

from gardenpath.core.characters cimport SPACE, decode, kind_of, lower_case
from gardenpath.core.hashing cimport join

cdef enum:
    SUFFIX = 3


cdef bint read_passage(
    const char* utf8, Py_ssize_t length, TextCursor* cursor, bint by_line, vector[Character]& passage
) except -1 nogil:
    """Read up to the next blank line or, with `by_line`, up to the end of the next line that is not blank.

    Return False at the end of the text.
    """
    cdef Character character
    cdef int size, newlines = 0
    cdef bint spaced = True, is_first = cursor.byte == 0
    passage.clear()
    while cursor.byte < length and not (passage.size() and newlines > (0 if by_line else 1)):
        size = decode(utf8 + cursor.byte, &character.point)
        character.kind = kind_of(character.point)
        if character.kind == SPACE:
            spaced = True
            newlines += character.point == c"\n"
        else:
            if passage.empty():
                cursor.opens_paragraph = is_first or not by_line or newlines > 0
            character.start = <int>cursor.byte
            character.end = character.start + size
            character.position = cursor.position
            character.lower = lower_case(character.point)
            character.spaced = spaced
            passage.push_back(character)
            spaced, newlines = False, 0
        cursor.byte += size
        cursor.position += 1
    _look_ahead(passage)
    return not passage.empty()


cdef void _look_ahead(vector[Character]& passage) noexcept nogil:
    """Fill in the fields of each character that depend on the rest of its chunk."""
    cdef uint64_t rest = 1, shape = 1, kinds = 0
    cdef uint32_t kind = 0
    cdef Py_ssize_t i
    cdef Character* character
    for i in range(<Py_ssize_t>passage.size() - 1, -1, -1):
        character = &passage[i]
        rest = join(rest, character.lower)
        if character.kind != kind:
            kind = character.kind
            shape = join(shape, kind)
            kinds |= <uint64_t>1 << (kind & 63)
        character.rest, character.shape, character.kinds = rest, shape, kinds
        if character.spaced:
            rest, shape, kinds, kind = 1, 1, 0, 0


cdef int gather_tokens(
    const vector[Character]& passage, const vector[uint8_t]& ends, vector[PassageToken]& tokens
) except -1 nogil:
    """Build the tokens of a passage. `ends` marks their last characters."""
    cdef int i, begin = 0
    tokens.clear()
    for i in range(<int>passage.size()):
        if ends[i]:
            tokens.push_back(_token(passage.data(), begin, i + 1))
            begin = i + 1
    _look_for_stops(tokens)
    return 0


cdef void _look_for_stops(vector[PassageToken]& tokens) noexcept nogil:
    cdef int i, ahead = 0
    for i in range(<int>tokens.size() - 1, -1, -1):
        tokens[i].ahead = ahead
        ahead = 1 if is_stop(tokens[i].last) else ahead + 1


cdef PassageToken _token(const Character* passage, int begin, int end) noexcept nogil:
    cdef PassageToken token
    cdef uint32_t kind = 0
    cdef int i
    token.begin, token.end = begin, end
    token.lower = token.cased = token.shape = token.suffix = 1
    for i in range(begin, end):
        token.lower = join(token.lower, passage[i].lower)
        token.cased = join(token.cased, passage[i].point)
        if passage[i].kind != kind:
            kind = passage[i].kind
            token.shape = join(token.shape, kind)
    for i in range(max(begin, end - SUFFIX), end):
        token.suffix = join(token.suffix, passage[i].lower)
    token.first, token.last = passage[begin].kind, kind
    token.spaced = passage[begin].spaced
    return token
