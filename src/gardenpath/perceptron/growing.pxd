"""The weights of the averaged perceptron while it learns."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from gardenpath.perceptron.weights cimport Weights

cdef struct Slot:
    uint64_t key
    uint32_t start         # where its entries begin
    uint16_t size
    uint8_t power          # it has room for 2 ** power entries
    uint8_t updates        # how many it has seen, up to 255

cdef struct Entry:
    int32_t index          # the class
    int32_t weight

cdef struct History:
    int64_t total          # the weight summed over the steps until `since`
    int64_t since


cdef class GrowingWeights(Weights):
    cdef Slot* slots
    cdef uint64_t mask
    cdef readonly Py_ssize_t features
    cdef readonly int min_updates
    cdef Entry* entries
    cdef History* histories
    cdef Py_ssize_t used
    cdef Py_ssize_t reserved
    cdef uint32_t spare[32]    # by power of two: a chain of rows given up, through their first entry

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
