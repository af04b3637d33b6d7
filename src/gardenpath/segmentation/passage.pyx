# cython: boundscheck=False, wraparound=False
"""Reading passages: the stretches of a text that blank lines part, or its lines."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libcpp.vector cimport vector

from gardenpath.core.hashing cimport join
from gardenpath.core.characters cimport SPACE, decode, kind_of, lower_case

cdef enum:
    SUFFIX = 3


cdef bint read_passage(const char* utf8, Py_ssize_t length, Place* place, bint by_line, vector[Character]& passage) except -1 nogil:
    """Read up to the next blank line or, by line, to the end of the next line that is not blank; is there anything?"""
    cdef Character character
    cdef int size, newlines = 0
    cdef bint spaced = True, is_first = place.byte == 0
    passage.clear()
    while place.byte < length and not (passage.size() and newlines > (0 if by_line else 1)):
        size = decode(utf8 + place.byte, &character.point)
        character.kind = kind_of(character.point)
        if character.kind == SPACE:
            spaced = True
            newlines += character.point == c"\n"
        else:
            if passage.empty():
                place.opens_paragraph = is_first or not by_line or newlines > 0
            character.start = <int>place.byte
            character.end = character.start + size
            character.position = place.position
            character.lower = lower_case(character.point)
            character.spaced = spaced
            passage.push_back(character)
            spaced, newlines = False, 0
        place.byte += size
        place.position += 1
    _look_ahead(passage)
    return not passage.empty()


cdef void _look_ahead(vector[Character]& passage) noexcept nogil:
    """Tell each character what follows it in its chunk."""
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


cdef int gather_pieces(const vector[Character]& passage, const vector[uint8_t]& ends, vector[Piece]& pieces) except -1 nogil:
    """The tokens of a passage, given the characters that they end with."""
    cdef int i, begin = 0
    pieces.clear()
    for i in range(<int>passage.size()):
        if ends[i]:
            pieces.push_back(_piece(passage.data(), begin, i + 1))
            begin = i + 1
    _look_for_stops(pieces)
    return 0


cdef void _look_for_stops(vector[Piece]& pieces) noexcept nogil:
    cdef int i, ahead = 0
    for i in range(<int>pieces.size() - 1, -1, -1):
        pieces[i].ahead = ahead
        ahead = 1 if is_stop(pieces[i].last) else ahead + 1


cdef Piece _piece(const Character* passage, int begin, int end) noexcept nogil:
    cdef Piece piece
    cdef uint32_t kind = 0
    cdef int i
    piece.begin, piece.end = begin, end
    piece.lower = piece.cased = piece.shape = piece.suffix = 1
    for i in range(begin, end):
        piece.lower = join(piece.lower, passage[i].lower)
        piece.cased = join(piece.cased, passage[i].point)
        if passage[i].kind != kind:
            kind = passage[i].kind
            piece.shape = join(piece.shape, kind)
    for i in range(max(begin, end - SUFFIX), end):
        piece.suffix = join(piece.suffix, passage[i].lower)
    piece.first, piece.last = passage[begin].kind, kind
    piece.spaced = passage[begin].spaced
    return piece
