# cython: boundscheck=False, wraparound=False
"""The weights of an averaged perceptron in inference: immutable, compact, shared by all threads, memory-mapped.

`slots` is an open-addressing table. The high 32 bits of a slot are a fingerprint of the feature's key. The low bits are
the index of its row in `rows`, and the flag DENSE if the row is dense.

A row begins with the number of 32-bit words that follow, and the same flag. A sparse row has an entry for each class
with a weight: the class and a 16-bit weight. A dense row has the weights of all classes in order, two per 32-bit word,
padded to a multiple of 16.
"""

from libc.stdint cimport int16_t, int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from gardenpath.perceptron.weights cimport MAX_CLASSES, MAX_KEYS, Weights, padded, prefetch

cdef extern from "dense.h":
    void add_dense "gp_add_dense"(
        const uint32_t* rows, const uint32_t* places, int count, int32_t* scores, int classes
    ) noexcept nogil

cdef uint32_t DENSE = <uint32_t>1 << 31
cdef uint32_t PLACE = ~DENSE
cdef enum:
    DENSE_SHARE = 5        # a row is dense if more than one in five classes has a weight


cdef inline uint64_t _place(uint64_t key, uint64_t size) noexcept nogil:
    """Return the index at which the search for a key begins."""
    return ((key & <uint64_t>0xFFFFFFFF) * size) >> 32


cdef class FrozenTable:
    """Builds frozen weights. Features are added one by one, the most frequent first."""

    def __cinit__(self, int classes, Py_ssize_t features):
        import numpy as np        # imported here and below, since parsing does not need it
        self.classes = classes
        self.slots = np.zeros(features + features // 2 + features // 8 + 4, dtype=np.uint64)
        self.rows = np.zeros(1 << 16, dtype=np.uint32)
        self.length = 1                    # index 0 means no row

    cdef int add(self, uint64_t key, const uint32_t* entries, int count) except -1:
        """Add a feature with the entries of its row."""
        cdef int16_t weights[MAX_CLASSES + 16]
        cdef const void* source
        cdef uint64_t place = _place(key, self.slots.shape[0])
        cdef int i, size = count
        cdef uint32_t mark = DENSE if count * DENSE_SHARE > self.classes else 0
        if mark:
            size = padded(self.classes) // 2
            memset(weights, 0, sizeof(weights))
            for i in range(count):
                weights[entries[i] >> 16] = <int16_t>(entries[i] & 0xFFFF)
        if self.length + size + 1 > self.rows.shape[0]:
            import numpy as np
            self.rows = np.concatenate([self.rows.base, np.zeros(self.rows.shape[0], dtype=np.uint32)])
        while self.slots[place]:
            place = place + 1 if place + 1 < <uint64_t>self.slots.shape[0] else 0
        self.slots[place] = (key & <uint64_t>0xFFFFFFFF00000000) | mark | <uint64_t>self.length
        self.rows[self.length] = mark | <uint32_t>size
        source = <const void*>weights if mark else <const void*>entries
        memcpy(&self.rows[self.length + 1], source, size * sizeof(uint32_t))
        self.length += size + 1
        return 0

    def finish(self):
        """Return the frozen weights."""
        return FrozenWeights(self.classes, self.slots.base, self.rows.base[: self.length].copy())


cdef class FrozenWeights(Weights):
    """Weights in inference."""

    def __init__(self, int classes, slots, rows):
        self.classes = classes
        self.slots_array = slots
        self.rows_array = rows
        self.slots = slots
        self.rows = rows

    def is_sound(self):
        """Return whether all indices are valid and every search ends. Files may contain anything."""
        cdef Py_ssize_t i, length = self.rows.shape[0], empty = 0
        cdef uint32_t place
        if length == 0 or length > PLACE or self.slots.shape[0] == 0 or self.classes > MAX_CLASSES:
            return False
        cdef uint8_t[::1] begins = bytearray(length)
        if not self._mark_rows(begins):
            return False
        for i in range(self.slots.shape[0]):
            place = <uint32_t>self.slots[i] & PLACE
            if self.slots[i] == 0:
                empty += 1
            elif place >= <uint32_t>length or not begins[place]:
                return False
            elif (self.rows[place] ^ <uint32_t>self.slots[i]) & DENSE:
                return False
        return empty > 0

    def _mark_rows(self, uint8_t[::1] begins):
        """Mark the first word of each row. Return whether all rows are within bounds and have valid classes."""
        cdef Py_ssize_t i = 1, j, size, length = self.rows.shape[0]
        while i < length:
            begins[i] = 1
            size = self.rows[i] & PLACE
            if i + size >= length or (self.rows[i] & DENSE and size != padded(self.classes) // 2):
                return False
            if not self.rows[i] & DENSE:
                for j in range(i + 1, i + 1 + size):
                    if <int>(self.rows[j] >> 16) >= self.classes:
                        return False
            i += size + 1
        return True

    cdef void score(self, const uint64_t* keys, int count, int32_t* scores) noexcept nogil:
        """Add up the rows of the features. Memory is prefetched long before it is needed."""
        cdef uint32_t sparse[MAX_KEYS]
        cdef uint32_t dense[MAX_KEYS]
        cdef uint64_t places[MAX_KEYS]
        cdef const uint64_t* slots = &self.slots[0]
        cdef const uint32_t* rows = &self.rows[0]
        cdef const uint32_t* row
        cdef uint64_t place, size = self.slots.shape[0]
        cdef uint32_t start
        cdef int i, j, sparse_count = 0, dense_count = 0
        memset(scores, 0, padded(self.classes) * sizeof(int32_t))
        for i in range(count):
            places[i] = _place(keys[i], size)
            prefetch(&slots[places[i]])
        for i in range(count):
            place = places[i]
            while slots[place] and (slots[place] ^ keys[i]) >> 32:
                place = place + 1 if place + 1 < size else 0
            if not slots[place]:
                continue
            start = <uint32_t>slots[place] & PLACE
            prefetch(&rows[start])
            if <uint32_t>slots[place] & DENSE:
                prefetch(&rows[start + 16])
                prefetch(&rows[start + 32])
                dense[dense_count] = start + 1
                dense_count += 1
            else:
                sparse[sparse_count] = start
                sparse_count += 1
        add_dense(rows, dense, dense_count, scores, self.classes)
        for i in range(sparse_count):
            row = &rows[sparse[i]]
            for j in range(1, <int>row[0] + 1):
                scores[row[j] >> 16] += <int16_t>(row[j] & 0xFFFF)
