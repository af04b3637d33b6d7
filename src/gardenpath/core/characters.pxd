"""Characters as the segmenter sees them: their kind, their lower case, their bytes."""

from libc.stdint cimport uint32_t

cdef extern from "Python.h":
    bint is_alpha "Py_UNICODE_ISALPHA"(uint32_t point) noexcept nogil
    bint is_lowercase "Py_UNICODE_ISLOWER"(uint32_t point) noexcept nogil
    bint is_uppercase "Py_UNICODE_ISUPPER"(uint32_t point) noexcept nogil
    bint is_titlecase "Py_UNICODE_ISTITLE"(uint32_t point) noexcept nogil
    bint is_decimal_digit "Py_UNICODE_ISDECIMAL"(uint32_t point) noexcept nogil
    bint is_whitespace "Py_UNICODE_ISSPACE"(uint32_t point) noexcept nogil
    uint32_t to_lowercase "Py_UNICODE_TOLOWER"(uint32_t point) noexcept nogil

cdef enum:               # kinds of characters; a punctuation mark is a kind of its own: its code point
    NOTHING              # beyond an end
    SPACE
    LOWER
    UPPER
    LETTER               # of a script without case
    DIGIT
    MARK                 # a combining character, or a joiner
    SYMBOL
    KINDS = 128          # those below are ASCII's


cdef inline uint32_t kind_of(uint32_t point) noexcept nogil:
    """The kind of a character."""
    if point < 128:
        return _ascii_kind(point)
    if is_whitespace(point):
        return SPACE
    if is_alpha(point):
        return LOWER if is_lowercase(point) else UPPER if is_uppercase(point) or is_titlecase(point) else LETTER
    if is_decimal_digit(point):
        return DIGIT
    if _is_mark(point):
        return MARK
    return point if _is_punctuation(point) else SYMBOL


cdef inline uint32_t _ascii_kind(uint32_t point) noexcept nogil:
    if c"a" <= point <= c"z":
        return LOWER
    if point == c" " or point == c"\n":
        return SPACE
    if c"A" <= point <= c"Z":
        return UPPER
    if c"0" <= point <= c"9":
        return DIGIT
    if is_whitespace(point):
        return SPACE
    return point if c" " < point < 127 else SYMBOL


cdef inline bint _is_mark(uint32_t point) noexcept nogil:
    """Whether a character that is no letter or digit combines with others: those of these blocks, except dandas."""
    if point < 0x0E00:
        return (
            0x0300 <= point < 0x0370 or 0x0483 <= point < 0x048A or 0x0591 <= point < 0x05BE or 0x0610 <= point < 0x061B
            or 0x064B <= point < 0x0660 or 0x06D6 <= point < 0x06EE
            or (0x0900 <= point and point != 0x0964 and point != 0x0965 and point != 0x0970)
        )
    return (
        0x0E31 <= point < 0x0E3B or 0x0E47 <= point < 0x0E4F or 0x0EB1 <= point < 0x0ECF or 0x102B <= point < 0x103F
        or 0x1AB0 <= point < 0x1B00 or 0x1DC0 <= point < 0x1E00 or point == 0x200C or point == 0x200D
        or 0x20D0 <= point < 0x2100 or point == 0x3099 or point == 0x309A or 0xFE00 <= point < 0xFE10
        or 0xFE20 <= point < 0xFE30
    )


cdef inline bint _is_punctuation(uint32_t point) noexcept nogil:
    """Is it in one of the blocks that hold punctuation? Arrows, drawings and emoji are symbols all alike."""
    return point < 0x2190 or 0x3000 <= point < 0x3040 or 0xFE10 <= point < 0xFE70 or 0xFF00 <= point < 0xFFF0


cdef inline uint32_t lower_case(uint32_t point) noexcept nogil:
    """The character in lower case."""
    if point < 128:
        return point + 32 if c"A" <= point <= c"Z" else point
    return to_lowercase(point)


cdef inline int decode(const char* utf8, uint32_t* point) noexcept nogil:
    """Read the character that begins here in sound UTF-8; how many bytes has it?"""
    cdef uint32_t first = <unsigned char>utf8[0]
    if first < 0x80:
        point[0] = first
        return 1
    if first < 0xE0:
        point[0] = (first & 0x1F) << 6 | _tail(utf8[1])
        return 2
    if first < 0xF0:
        point[0] = (first & 0x0F) << 12 | _tail(utf8[1]) << 6 | _tail(utf8[2])
        return 3
    point[0] = (first & 0x07) << 18 | _tail(utf8[1]) << 12 | _tail(utf8[2]) << 6 | _tail(utf8[3])
    return 4


cdef inline uint32_t _tail(char byte) noexcept nogil:
    return <unsigned char>byte & 0x3F
