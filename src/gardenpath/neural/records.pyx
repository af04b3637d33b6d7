"""Records of computations that are delayed until those of many sentences can be done together.

A record is a list of numbers. Its result has an id, which is known before the result is computed. Ids are consecutive.
A record has level 0 if all results of this kind that it needs have been computed. Otherwise, its level is one above the
highest level that it needs. The records of a level can be computed together.
"""

import numpy as np

from libc.stdint cimport int64_t


cdef class Records:
    """Records of one kind, with `width` numbers each.

    The first `links` numbers are ids of results of the same kind. `first` is the id of the first result.
    """

    def __cinit__(self, int width, int links, int64_t first):
        self.width = width
        self.links = links
        self.first = first

    cdef int64_t add(self, const int64_t* record, int owner) except -1 nogil:
        """Add a record for a sentence. Return the id of its result."""
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
        """Return the id of the next result."""
        return self.first + <int64_t>self.levels.size()

    cdef void cut(self, int64_t end) noexcept nogil:
        """Remove the records from this id on."""
        self.values.resize((end - self.first) * self.width)
        self.levels.resize(end - self.first)
        self.owners.resize(end - self.first)

    def take(self):
        """Remove all records and return them, their levels and the numbers of their sentences as arrays.

        Later records count the results of these as computed.
        """
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
