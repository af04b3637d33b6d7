"""The weights of the averaged perceptron in inference."""

from libc.stdint cimport int16_t, int32_t, uint16_t, uint32_t, uint64_t

from gardenpath.perceptron.weights cimport Weights


cdef inline uint32_t packed(int index, int32_t weight) noexcept nogil:
    """Pack a class and its weight into an entry of a row."""
    return (<uint32_t>index << 16) | <uint16_t><int16_t>weight


cdef class FrozenTable:
    cdef int classes
    cdef uint64_t[::1] slots
    cdef uint32_t[::1] rows
    cdef Py_ssize_t length

    cdef int add(self, uint64_t key, const uint32_t* entries, int count) except -1


cdef class FrozenWeights(Weights):
    cdef readonly object slots_array
    cdef readonly object rows_array
    cdef const uint64_t[::1] slots
    cdef const uint32_t[::1] rows
