# cython: boundscheck=False, wraparound=False
"""A set of hashed strings in a few bits each: immutable, shared by all threads."""

from array import array

from libc.stdint cimport uint64_t

from gardenpath.core.hashing cimport hash_bytes

from gardenpath.core.stored import BadModelError

cdef enum:
    BITS_PER_STRING = 16


cdef inline uint64_t _mask(uint64_t key) noexcept nogil:
    """Return four bits of a word, chosen by the low bits of the key."""
    cdef uint64_t one = 1
    return one << (key & 63) | one << (key >> 6 & 63) | one << (key >> 12 & 63) | one << (key >> 18 & 63)


cdef class BloomFilter:
    """A set that also contains about one in a hundred of the strings that were not added (Bloom 1970).

    All bits of a string are in one of the 64-bit words.
    """

    def __init__(self, words):
        self.words_array = words
        self.words = words
        if not self.words.shape[0]:
            raise BadModelError("a set of strings has no bits")

    @staticmethod
    def of(strings):
        """Make a set of these strings."""
        cdef uint64_t key
        keys = [hash_bytes(text, len(text)) for text in {each.encode("utf-8", "surrogatepass") for each in strings}]
        cdef uint64_t[::1] words = array("Q", bytes(8 * (len(keys) * BITS_PER_STRING // 64 + 1)))
        for key in keys:
            words[_place(key, words.shape[0])] |= _mask(key)
        return BloomFilter(memoryview(words.base))

    def __contains__(self, str string not None):
        cdef bytes text = string.encode("utf-8", "surrogatepass")
        return self.contains(hash_bytes(text, len(text)))

    cdef bint contains(self, uint64_t key) noexcept nogil:
        """Return whether the string with this hash is in the set, or seems to be."""
        cdef uint64_t mask = _mask(key)
        return self.words[_place(key, self.words.shape[0])] & mask == mask


cdef inline uint64_t _place(uint64_t key, uint64_t size) noexcept nogil:
    """Return the index of the word of a key."""
    return ((key >> 32) * size) >> 32
