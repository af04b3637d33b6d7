# cython: boundscheck=False, wraparound=False
"""The weights of an averaged perceptron (Collins, EMNLP 2002) over hashed sparse features, in training.

A feature has a row of integer weights, which grows as more classes are updated. Each weight has a sum for its average,
which is updated only when the weight changes. Weights and sums are integers, so the same training gives the same bytes
on every machine.
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

    A feature is used only after `min_updates` updates (Goldberg and Elhadad, technical report, 2011). Features with
    fewer updates are mostly noise.
    """

    def __cinit__(self, int classes, int min_updates=1):
        if classes > MAX_CLASSES:
            problem = f"there are {classes} classes, and the limit is {MAX_CLASSES}"
            raise UsageError(f"{problem}; check that DEPREL contains nothing but labels")
        self.classes = classes
        self.min_updates = min_updates
        self.mask = (1 << 16) - 1
        self.slots = <Slot*>calloc(self.mask + 1, sizeof(Slot))
        self.reserved = 1 << 16
        self.used = 1                       # index 0 means no entry
        self.entries = <ClassWeight*>malloc(self.reserved * sizeof(ClassWeight))
        self.histories = <History*>malloc(self.reserved * sizeof(History))
        if self.slots == NULL or self.entries == NULL or self.histories == NULL:
            raise MemoryError("not enough memory for the weights")
        memset(self.spare, 0, sizeof(self.spare))

    def __dealloc__(self):
        free(self.slots)
        free(self.entries)
        free(self.histories)

    cdef void score(self, const uint64_t* keys, int count, int32_t* scores) noexcept nogil:
        """Add up the rows of the features. Memory is prefetched long before it is needed."""
        cdef const Slot* found[MAX_KEYS]
        cdef const Slot* slot
        cdef const ClassWeight* entry
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
        """Increase the weights of one class and decrease those of another for these features. NONE means no class."""
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
        """Return the slot of the key, or the empty slot to put it in."""
        cdef uint64_t place = key & self.mask
        while self.slots[place].size and self.slots[place].key != key:
            place = (place + 1) & self.mask
        return &self.slots[place]

    cdef int _add(self, uint64_t key, int index, int delta, int64_t step) except -1 nogil:
        cdef Slot* slot = self._slot(key)
        cdef ClassWeight* entry
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
        """Move a full row to a place with twice the room. The old place is kept for another row of its size."""
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
            memcpy(&self.entries[start], &self.entries[slot.start], slot.size * sizeof(ClassWeight))
            memcpy(&self.histories[start], &self.histories[slot.start], slot.size * sizeof(History))
            self.entries[slot.start].index = self.spare[power - 1]
            self.spare[power - 1] = slot.start
        slot.start = start
        slot.power = power
        return 0

    cdef int _reserve(self, Py_ssize_t size) except -1 nogil:
        """Make room for this many entries. If there is not enough memory, nothing changes."""
        cdef void* entries = realloc(self.entries, size * sizeof(ClassWeight))
        if entries != NULL:
            self.entries = <ClassWeight*>entries
        cdef void* histories = realloc(self.histories, size * sizeof(History))
        if histories != NULL:
            self.histories = <History*>histories
        if entries == NULL or histories == NULL:
            with gil:
                raise MemoryError("not enough memory for more weights")
        self.reserved = size
        return 0

    cdef int _grow_table(self) except -1 nogil:
        cdef Slot* old = self.slots
        cdef uint64_t i, size = self.mask + 1
        self.slots = <Slot*>calloc(2 * size, sizeof(Slot))
        if self.slots == NULL:
            self.slots = old
            with gil:
                raise MemoryError("not enough memory for more features")
        self.mask = 2 * size - 1
        for i in range(size):
            if old[i].size:
                self._slot(old[i].key)[0] = old[i]
        free(old)
        return 0

    def freeze(self, int64_t steps, double prune=0):
        """Return the averages over all steps as frozen weights. The weights themselves do not change.

        `prune` is the share of weights to remove, the smallest first. Small weights are many and hardly affect parses.
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
        """Return the absolute value below which weights are removed: the share `prune` of those that are not 0."""
        import numpy as np        # imported here and below, since parsing does not need it
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
        """Return the slots that have a weight to keep, those with the most updates first.

        Frequent features are then stored next to each other and need the fewest steps to find.
        """
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
        """Return an average as a weight of the frozen weights."""
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
