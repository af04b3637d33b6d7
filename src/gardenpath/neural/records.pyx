"""Records of computations that are put off, so that those of many sentences can be done in one go.

Each record has a result, known by its id: ids go on from record to record, whether their results are computed already or not. A record that needs no result
of this kind but those computed before has level 0, all others are one level above the highest that they need. So what is on one level can be computed at once.
"""

import numpy as np

from libc.stdint cimport int64_t


cdef class Records:
    """Records of one kind: so many numbers each, the first `links` of which are ids of the same kind; `first` is the id of the first result."""

    def __cinit__(self, int width, int links, int64_t first):
        self.width = width
        self.links = links
        self.first = first

    cdef int64_t add(self, const int64_t* record, int owner) except -1 nogil:
        """Write a record down; answer the id of its result."""
        cdef int64_t level = 0
        cdef int i
        for i in range(self.links):
            if record[i] >= self.first:
                level = max(level, self.levels[record[i] - self.first] + 1)
        for i in range(self.width):
            self.values.push_back(record[i])
        self.levels.push_back(level)
        self.owners.push_back(owner)
        return self.end() - 1

    cdef int64_t end(self) noexcept nogil:
        """The id of the next result."""
        return self.first + <int64_t>self.levels.size()

    cdef void cut(self, int64_t end) noexcept nogil:
        """Forget the records from this id on."""
        self.values.resize((end - self.first) * self.width)
        self.levels.resize(end - self.first)
        self.owners.resize(end - self.first)

    def take(self):
        """Hand over the records, their levels and their owners as arrays; those that follow count their results as computed."""
        cdef int64_t count = <int64_t>self.levels.size()
        records = np.empty((count, self.width), np.int64)
        levels, owners = np.empty(count, np.int64), np.empty(count, np.int64)
        cdef int64_t[:, ::1] values = records
        cdef int64_t[::1] level = levels, owner = owners
        cdef int64_t i, j
        for i in range(count):
            level[i] = self.levels[i]
            owner[i] = self.owners[i]
            for j in range(self.width):
                values[i, j] = self.values[i * self.width + j]
        self.cut(self.first)
        self.first += count
        return records, levels, owners
