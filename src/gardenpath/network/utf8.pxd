"""Characters in text that may not be valid UTF-8."""

from libc.stdint cimport uint32_t

cdef enum:
    REPLACEMENT = 0xFFFD       # stands for a byte that begins no character


cdef inline int next_point(const char* utf8, int length, uint32_t* point) noexcept nogil:
    """Read the character that begins here, at least one byte before the end, and return its number of bytes."""
    cdef uint32_t first = <unsigned char>utf8[0]
    cdef int size = 1 if first < 0x80 else 2 if 0xC2 <= first < 0xE0 else 3 if 0xE0 <= first < 0xF0 else 4
    cdef int i
    if first < 0x80:
        point[0] = first
        return 1
    point[0] = REPLACEMENT
    if size > length or first < 0xC2 or first > 0xF4:
        return 1
    first &= 0x7F >> size
    for i in range(1, size):
        if utf8[i] & 0xC0 != 0x80:
            return 1
        first = first << 6 | <uint32_t>(utf8[i] & 0x3F)
    if first > 0x10FFFF or (size == 3 and first < 0x800) or (size == 4 and first < 0x10000):
        return 1
    point[0] = first
    return size
