# cython: boundscheck=False, wraparound=False
"""The averaged perceptron (Collins, EMNLP 2002) over hashed sparse features, while training.

A feature has a row of integer weights that grows as classes meet it; each weight carries its own history, so that the average over all steps costs nothing in
between. Integers all the way to the averages: the same training gives the same bytes on every machine.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

from gardenpath.core.configuration cimport NONE
from gardenpath.perceptron.frozen cimport FrozenTable, packed
from gardenpath.perceptron.weights cimport MAX_CLASSES, MAX_KEYS, Weights, padded, prefetch

from gardenpath.errors import UsageError

LARGEST_WEIGHT = 32000

cdef enum:
    MOST_UPDATES = 255


cdef class GrowingWeights(Weights):
    """Weights in training.

    A feature counts only once it has seen `min_updates` updates (Goldberg and Elhadad, technical report, 2011): what was needed but once is mostly noise.
    """

    def __cinit__(self, int classes, int min_updates=1):
        if classes > MAX_CLASSES:
            raise UsageError(f"{classes} classes, more than {MAX_CLASSES}: see whether DEPREL holds something else than labels")
        self.classes = classes
        self.min_updates = min_updates
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
        memset(scores, 0, padded(self.classes) * sizeof(int32_t))
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
        """Reward one class and punish another for these features; NONE stands for no class."""
        cdef Slot* slot
        cdef int i
        for i in range(count):
            if good != NONE:
                self._add(keys[i], good, 1, step)
            if bad != NONE:
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
                self._reserve(2 * self.reserved)
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

    cdef int _reserve(self, Py_ssize_t size) except -1 nogil:
        """Make room for so many entries; without memory all stays as it is."""
        cdef void* entries = realloc(self.entries, size * sizeof(Entry))
        if entries != NULL:
            self.entries = <Entry*>entries
        cdef void* histories = realloc(self.histories, size * sizeof(History))
        if histories != NULL:
            self.histories = <History*>histories
        if entries == NULL or histories == NULL:
            with gil:
                raise MemoryError("no memory for more weights")
        self.reserved = size
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

    def freeze(self, int64_t steps, double prune=0):
        """The averages over all steps so far, as frozen weights; these here stay as they are.

        `prune` is the share of weights to leave out, the smallest first: they are many, and parses hardly change without them.
        """
        cdef double scale = LARGEST_WEIGHT / max(self._largest(steps), 1e-9)
        cdef int32_t least = self._least(steps, scale, prune)
        cdef int64_t[::1] order = self._by_updates(steps, scale, least)
        cdef FrozenTable table = FrozenTable(self.classes, order.shape[0])
        cdef uint32_t entries[MAX_CLASSES]
        cdef const Slot* slot
        cdef int32_t weight
        cdef Py_ssize_t i
        cdef int j, count
        for i in range(order.shape[0]):
            slot = &self.slots[order[i]]
            count = 0
            for j in range(slot.size):
                weight = self._scaled(slot.start + j, steps, scale)
                if abs(weight) >= least:
                    entries[count] = packed(self.entries[slot.start + j].index, weight)
                    count += 1
            table.add(slot.key, entries, count)
        return table.finish()

    cdef int32_t _least(self, int64_t steps, double scale, double prune) except -1:
        """The size that a weight must have, so that the share `prune` of those that are not 0 stay below it."""
        import numpy as np        # here and below: a parser starts without it
        cdef int64_t[::1] counts = np.zeros(LARGEST_WEIGHT + 1, dtype=np.int64)
        cdef int32_t weight
        cdef Py_ssize_t i
        cdef int j
        if prune <= 0:
            return 1
        for i in range(<Py_ssize_t>self.mask + 1):
            for j in range(self.slots[i].size if self.slots[i].updates >= self.min_updates else 0):
                weight = self._scaled(self.slots[i].start + j, steps, scale)
                counts[weight if weight >= 0 else -weight] += 1
        counts[0] = 0
        return <int32_t>(np.searchsorted(np.cumsum(counts.base), prune * np.sum(counts.base), side="right")) or 1

    cdef _by_updates(self, int64_t steps, double scale, int32_t least):
        """The slots with a weight to keep, those with most updates first: what is asked for often then lies together and is found at once."""
        import numpy as np
        cdef Py_ssize_t i, count = 0
        cdef int64_t[::1] places = np.empty(self.features, dtype=np.int64)
        cdef uint8_t[::1] left = np.empty(self.features, dtype=np.uint8)
        for i in range(<Py_ssize_t>self.mask + 1):
            if self.slots[i].updates >= self.min_updates and self._keeps(&self.slots[i], steps, scale, least):
                places[count] = i
                left[count] = MOST_UPDATES - self.slots[i].updates
                count += 1
        return places.base[:count][np.argsort(left.base[:count], kind="stable")]

    cdef bint _keeps(self, const Slot* slot, int64_t steps, double scale, int32_t least) noexcept nogil:
        cdef int32_t weight
        cdef int i
        for i in range(slot.size):
            weight = self._scaled(slot.start + i, steps, scale)
            if weight >= least or weight <= -least:
                return True
        return False

    cdef int32_t _scaled(self, Py_ssize_t entry, int64_t steps, double scale) noexcept nogil:
        """A weight as frozen weights hold it."""
        return <int32_t>_rounded(self._average(entry, steps) * scale)

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


cdef inline double _rounded(double x) noexcept nogil:
    return <double><int64_t>(x + 0.5 if x >= 0 else x - 0.5)
