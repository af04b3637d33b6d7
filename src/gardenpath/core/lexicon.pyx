# cython: boundscheck=False, wraparound=False
"""A dictionary from 64-bit keys (hashed forms) to positive numbers: immutable, shared by all threads."""

from array import array

from libc.stdint cimport uint32_t, uint64_t

from gardenpath.core.hashing cimport hash_bytes

from gardenpath.core.stored import BadModelError


cdef inline uint64_t _place(uint64_t key, uint64_t size) noexcept nogil:
    """Return the index at which the search for a key begins."""
    return ((key >> 32) * size) >> 32


cdef class Lexicon:
    """An open-addressing table in two arrays. The key 0 marks an empty slot."""

    def __init__(self, keys, values):
        self.keys_array, self.values_array = keys, values
        self.keys, self.values = keys, values
        if self.keys.shape[0] != self.values.shape[0] or not self._ends():
            raise BadModelError("a lexicon cannot be searched: its arrays differ in length or have no empty slot")

    cdef bint _ends(self) noexcept nogil:
        """Return whether every search ends, which requires an empty slot."""
        cdef Py_ssize_t i
        for i in range(self.keys.shape[0]):
            if self.keys[i] == 0:
                return True
        return False

    @staticmethod
    def of(dict entries):
        """Make a lexicon of these keys and numbers."""
        cdef uint64_t key, place, size = len(entries) + len(entries) // 2 + 1
        cdef uint64_t[::1] keys = array("Q", bytes(8 * size))
        cdef uint32_t[::1] values = array("I", bytes(4 * size))
        for key, value in sorted(entries.items()):
            place = _place(key, size)
            while keys[place]:
                place = place + 1 if place + 1 < size else 0
            keys[place], values[place] = key, value
        return Lexicon(memoryview(keys.base), memoryview(values.base))

    @staticmethod
    def of_words(words):
        """Make a lexicon of these words, numbered from 1. The keys are hashes of their bytes."""
        texts = [word.encode("utf-8", "surrogatepass") for word in words]
        return Lexicon.of({hash_bytes(text, len(text)): number for number, text in enumerate(texts, 1)})

    cdef uint32_t largest(self) noexcept nogil:
        """Return the largest number."""
        cdef Py_ssize_t i
        cdef uint32_t largest = 0
        for i in range(self.values.shape[0]):
            largest = max(largest, self.values[i])
        return largest

    cdef uint32_t find(self, uint64_t key) noexcept nogil:
        """Return the number of a key, or ABSENT."""
        cdef uint64_t size = self.keys.shape[0]
        cdef uint64_t place = _place(key, size)
        while self.keys[place] and self.keys[place] != key:
            place = place + 1 if place + 1 < size else 0
        return self.values[place] if self.keys[place] else ABSENT
