# cython: boundscheck=False, wraparound=False
"""The averaged perceptron (Collins, EMNLP 2002) over hashed sparse features.

While training, a feature has a row of integer weights that grows as classes meet it; each weight carries its own history, so that the average over all steps
costs nothing in between. For parsing, the averages are frozen: 8-byte slots of a 32-bit fingerprint and the place of a row; a row holds 16-bit weights,
beside their classes where they are few, one a class where they are many. Integers all the way: the same training gives the same bytes on every machine.
"""

import numpy as np

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

from gardenpath.errors import UsageError

LARGEST_WEIGHT = 32000

cdef enum:
    MOST_UPDATES = 255

cdef uint32_t DENSE = <uint32_t>1 << 31     # in the head of a row: it holds a weight for every class, two to an entry


cdef class Weights:
    """What parsing and training ask of weights: the scores of all classes for a set of features."""

    cdef void score(self, const uint64_t* keys, int count, int32_t* scores) noexcept nogil:
        pass


cdef class GrowingWeights(Weights):
    """Weights in training.

    A feature counts only once it has seen `min_updates` updates (Goldberg and Elhadad, technical report, 2011): what was needed but once is mostly noise.
    """

    def __cinit__(self, int classes, int min_updates=1):
        if classes > MAX_CLASSES:
            raise UsageError(f"{classes} classes, more than {MAX_CLASSES}: see whether DEPREL holds something else than labels")
        self.classes = classes
        self.min_updates = min(min_updates, MOST_UPDATES)
        self.mask = (1 << 16) - 1
        self.slots = <Slot*>calloc(self.mask + 1, sizeof(Slot))
        self.reserved = 1 << 16
        self.used = 1                       # entry 0 stands for none
        self.entries = <Entry*>malloc(self.reserved * sizeof(Entry))
        self.histories = <History*>malloc(self.reserved * sizeof(History))
        if self.slots == NULL or self.entries == NULL or self.histories == NULL:
            raise MemoryError("no memory for the weights")
        memset(self.spare, 0, sizeof(self.spare))

    def __dealloc__(self):
        free(self.slots)
        free(self.entries)
        free(self.histories)

    cdef void score(self, const uint64_t* keys, int count, int32_t* scores) noexcept nogil:
        """Add up the rows of the features. Every fetch is asked for long before it is needed."""
        cdef const Slot* found[MAX_KEYS]
        cdef const Slot* slot
        cdef const Entry* entry
        cdef int i, j, hits = 0
        memset(scores, 0, self.classes * sizeof(int32_t))
        for i in range(count):
            prefetch(&self.slots[keys[i] & self.mask])
        for i in range(count):
            slot = self._slot(keys[i])
            if slot.size and slot.updates >= self.min_updates:
                prefetch(&self.entries[slot.start])
                found[hits] = slot
                hits += 1
        for i in range(hits):
            entry = &self.entries[found[i].start]
            for j in range(found[i].size):
                scores[entry[j].index] += entry[j].weight

    cdef int update(self, const uint64_t* keys, int count, int good, int bad, int64_t step) except -1 nogil:
        """Reward one class and punish another for these features."""
        cdef Slot* slot
        cdef int i
        for i in range(count):
            self._add(keys[i], good, 1, step)
            self._add(keys[i], bad, -1, step)
            slot = self._slot(keys[i])
            slot.updates += slot.updates < MOST_UPDATES
        return 0

    cdef Slot* _slot(self, uint64_t key) noexcept nogil:
        """The slot of the key, or the empty one where it would go."""
        cdef uint64_t place = key & self.mask
        while self.slots[place].size and self.slots[place].key != key:
            place = (place + 1) & self.mask
        return &self.slots[place]

    cdef int _add(self, uint64_t key, int index, int delta, int64_t step) except -1 nogil:
        cdef Slot* slot = self._slot(key)
        cdef Entry* entry
        cdef History* history
        cdef int i
        if not slot.size:
            if self.features * 2 > <Py_ssize_t>self.mask:
                self._grow_table()
                slot = self._slot(key)
            slot.key = key
            slot.updates = 0
            self.features += 1
        for i in range(slot.size):
            if self.entries[slot.start + i].index == index:
                break
        else:
            i = slot.size
            if i == 0 or i == 1 << slot.power:
                self._grow_row(slot)
            slot.size += 1
            entry = &self.entries[slot.start + i]
            entry.index = index
            entry.weight = 0
            self.histories[slot.start + i].total = 0
        entry = &self.entries[slot.start + i]
        history = &self.histories[slot.start + i]
        if entry.weight:
            history.total += entry.weight * (step - history.since)
        history.since = step
        entry.weight += delta
        return 0

    cdef int _grow_row(self, Slot* slot) except -1 nogil:
        """Move a full row to twice the room; what it leaves is kept for another row of that size."""
        cdef int power = slot.power + 1 if slot.size else 0
        cdef Py_ssize_t room = 1 << power
        cdef uint32_t start
        if self.spare[power]:
            start = self.spare[power]
            self.spare[power] = self.entries[start].index
        else:
            if self.used + room > self.reserved:
                self.reserved *= 2
                self.entries = <Entry*>realloc(self.entries, self.reserved * sizeof(Entry))
                self.histories = <History*>realloc(self.histories, self.reserved * sizeof(History))
                if self.entries == NULL or self.histories == NULL:
                    with gil:
                        raise MemoryError("no memory for more weights")
            start = <uint32_t>self.used
            self.used += room
        if slot.size:
            memcpy(&self.entries[start], &self.entries[slot.start], slot.size * sizeof(Entry))
            memcpy(&self.histories[start], &self.histories[slot.start], slot.size * sizeof(History))
            self.entries[slot.start].index = self.spare[power - 1]
            self.spare[power - 1] = slot.start
        slot.start = start
        slot.power = power
        return 0

    cdef int _grow_table(self) except -1 nogil:
        cdef Slot* old = self.slots
        cdef uint64_t i, size = self.mask + 1
        self.slots = <Slot*>calloc(2 * size, sizeof(Slot))
        if self.slots == NULL:
            self.slots = old
            with gil:
                raise MemoryError("no memory for more features")
        self.mask = 2 * size - 1
        for i in range(size):
            if old[i].size:
                self._slot(old[i].key)[0] = old[i]
        free(old)
        return 0

    def freeze(self, int64_t steps):
        """The averages over all steps so far, as frozen weights; these here stay as they are."""
        cdef Py_ssize_t i, places = 4, length = 1
        cdef int j, kept, dense = (self.classes + 1) // 2
        cdef double scale = LARGEST_WEIGHT / max(self._largest(steps), 1e-9)
        cdef int32_t weight
        places += self.features + self.features // 2 + self.features // 8
        cdef uint64_t[::1] slots = np.zeros(places, dtype=np.uint64)
        rows = np.zeros(self.used + self.features + self.classes + 1, dtype=np.uint32)
        cdef uint32_t[::1] row = rows
        cdef uint64_t place
        cdef const Slot* slot
        for i in range(<Py_ssize_t>self.mask + 1):
            slot = &self.slots[i]
            kept = 0
            for j in range(slot.size if slot.updates >= self.min_updates else 0):
                weight = <int32_t>_rounded(self._average(slot.start + j, steps) * scale)
                if weight:
                    kept += 1
                    row[length + kept] = (<uint32_t>self.entries[slot.start + j].index << 16) | <uint16_t><int16_t>weight
            if kept:
                row[length] = kept
                if kept >= dense:
                    _spread(&row[length], self.classes)
                    kept = dense
                place = _place(slot.key, places)
                while slots[place]:
                    place = place + 1 if place + 1 < <uint64_t>places else 0
                slots[place] = (slot.key & <uint64_t>0xFFFFFFFF00000000) | <uint64_t>length
                length += kept + 1
        return FrozenWeights(self.classes, slots.base, rows[:length].copy())

    cdef double _average(self, Py_ssize_t entry, int64_t steps) noexcept nogil:
        cdef const History* history = &self.histories[entry]
        return <double>(history.total + self.entries[entry].weight * (steps - history.since)) / steps

    cdef double _largest(self, int64_t steps) noexcept nogil:
        cdef double largest = 0
        cdef Py_ssize_t i
        cdef int j
        for i in range(<Py_ssize_t>self.mask + 1):
            for j in range(self.slots[i].size if self.slots[i].updates >= self.min_updates else 0):
                largest = max(largest, abs(self._average(self.slots[i].start + j, steps)))
        return largest


cdef void _spread(uint32_t* row, int classes) noexcept nogil:
    """Turn a row of entries into a dense one, in place: it has at least as many entries as that needs."""
    cdef int16_t weights[MAX_CLASSES]
    cdef uint32_t i
    memset(weights, 0, sizeof(weights))
    for i in range(1, row[0] + 1):
        weights[row[i] >> 16] = <int16_t>(row[i] & 0xFFFF)
    row[0] = DENSE | ((classes + 1) // 2)
    memcpy(row + 1, weights, (classes + 1) // 2 * sizeof(uint32_t))


cdef inline uint64_t _place(uint64_t key, uint64_t size) noexcept nogil:
    """Where a key's search begins in a frozen table of any size."""
    return ((key & <uint64_t>0xFFFFFFFF) * size) >> 32


cdef inline double _rounded(double x) noexcept nogil:
    return <double><int64_t>(x + 0.5 if x >= 0 else x - 0.5)


cdef class FrozenWeights(Weights):
    """Weights for parsing: immutable, shared by all threads, mapped from the model file.

    `slots` is an open-addressing table of fingerprint (high 32 bits) and place in `rows`; a row is its length, then as many entries of class and weight,
    or, marked as dense, the weights of all classes in order.
    """

    def __init__(self, int classes, slots, rows):
        self.classes = classes
        self.slots_array = slots
        self.rows_array = rows
        self.slots = slots
        self.rows = rows

    def is_sound(self):
        """Can every slot be followed safely? Asked of files, whose content nobody vouches for."""
        cdef Py_ssize_t i, j, length = self.rows.shape[0], empty = 0
        cdef uint8_t[::1] begins = np.zeros(length, dtype=np.uint8)
        cdef bint sound = length > 0 and self.slots.shape[0] > 0
        cdef Py_ssize_t size
        i = 1
        while sound and i < length:
            begins[i] = 1
            size = self.rows[i] & ~DENSE
            sound = i + size < length and (not self.rows[i] & DENSE or size == (self.classes + 1) // 2)
            if sound and not self.rows[i] & DENSE:
                for j in range(i + 1, i + 1 + size):
                    sound = sound and <int>(self.rows[j] >> 16) < self.classes
            i += size + 1
        for i in range(self.slots.shape[0] if sound else 0):
            if self.slots[i] == 0:
                empty += 1
            elif <uint32_t>self.slots[i] >= length or not begins[<uint32_t>self.slots[i]]:
                return False
        return sound and empty > 0

    cdef void score(self, const uint64_t* keys, int count, int32_t* scores) noexcept nogil:
        """Add up the rows of the features. Every fetch is asked for long before it is needed."""
        cdef uint32_t found[MAX_KEYS]
        cdef uint64_t places[MAX_KEYS]
        cdef const uint64_t* slots = &self.slots[0]
        cdef const uint32_t* rows = &self.rows[0]
        cdef const uint32_t* row
        cdef const int16_t* weights
        cdef uint64_t place, size = self.slots.shape[0]
        cdef uint32_t fingerprint
        cdef int i, j, hits = 0
        memset(scores, 0, self.classes * sizeof(int32_t))
        for i in range(count):
            places[i] = _place(keys[i], size)
            prefetch(&slots[places[i]])
        for i in range(count):
            place = places[i]
            fingerprint = <uint32_t>(keys[i] >> 32)
            while slots[place]:
                if <uint32_t>(slots[place] >> 32) == fingerprint:
                    found[hits] = <uint32_t>slots[place]
                    prefetch(&rows[found[hits]])
                    hits += 1
                    break
                place = place + 1 if place + 1 < size else 0
        for i in range(hits):
            row = &rows[found[i]]
            if row[0] & DENSE:
                weights = <const int16_t*>(row + 1)
                for j in range(self.classes):
                    scores[j] += weights[j]
            else:
                for j in range(1, <int>row[0] + 1):
                    scores[row[j] >> 16] += <int16_t>(row[j] & 0xFFFF)
