"""The weights of the averaged perceptron in training."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from gardenpath.perceptron.weights cimport Weights

cdef struct Slot:
    uint64_t key
    uint32_t start         # index of its first entry
    uint16_t size          # number of entries
    uint8_t power          # there is room for 2 ** power entries
    uint8_t updates        # number of updates, up to 255

cdef struct ClassWeight:
    int32_t index          # the class
    int32_t weight

cdef struct History:
    int64_t total          # sum of the weight over the steps up to `since`
    int64_t since          # step of the last change


cdef class GrowingWeights(Weights):
    cdef Slot* slots
    cdef uint64_t mask
    cdef readonly Py_ssize_t features
    cdef readonly int min_updates
    cdef ClassWeight* entries
    cdef History* histories
    cdef Py_ssize_t used
    cdef Py_ssize_t reserved
    cdef uint32_t spare[32]    # by power: a linked list of free rows; the first entry of a row has the next one

    cdef int update(self, const uint64_t* keys, int count, int good, int bad, int64_t step) except -1 nogil
    cdef Slot* _slot(self, uint64_t key) noexcept nogil
    cdef int _add(self, uint64_t key, int index, int delta, int64_t step) except -1 nogil
    cdef int _grow_row(self, Slot* slot) except -1 nogil
    cdef int _reserve(self, Py_ssize_t size) except -1 nogil
    cdef int _grow_table(self) except -1 nogil
    cdef _by_updates(self, int64_t steps, double scale, int32_t least)
    cdef bint _keeps(self, const Slot* slot, int64_t steps, double scale, int32_t least) noexcept nogil
    cdef int32_t _scaled(self, Py_ssize_t entry, int64_t steps, double scale) noexcept nogil
    cdef double _average(self, Py_ssize_t entry, int64_t steps) noexcept nogil
    cdef int32_t _least(self, int64_t steps, double scale, double prune) except -1
    cdef double _largest(self, int64_t steps) noexcept nogil
