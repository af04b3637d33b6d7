"""A fast checksum (several gigabytes per second). It detects damaged files, not forged ones."""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from gardenpath.core.hashing cimport hash_bytes, join, mix


def checksum(const unsigned char[::1] data):
    """Return the checksum of bytes as 16 hexadecimal digits. It is the same on all little-endian machines."""
    cdef uint64_t lanes[4]
    cdef uint64_t word
    cdef Py_ssize_t i, j, length = data.shape[0], whole = length - length % 32
    lanes[0], lanes[1], lanes[2], lanes[3] = 1, 2, 3, 4
    with nogil:
        for i in range(0, whole, 32):
            for j in range(4):
                memcpy(&word, &data[i + 8 * j], 8)
                lanes[j] = join(lanes[j], word)
        word = mix(length)
        for j in range(4):
            word = join(word, lanes[j])
        if whole < length:
            word = join(word, hash_bytes(<const char*>&data[whole], length - whole))
    return f"{word:016x}"
