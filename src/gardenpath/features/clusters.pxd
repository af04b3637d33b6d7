"""Word clusters: the bit string of a form's cluster."""

from libc.stdint cimport uint64_t
from libcpp.string cimport string
from libcpp.vector cimport vector


cdef class Clusters:
    cdef readonly object slots_array
    cdef const uint64_t[::1] slots
    cdef vector[string] paths
    cdef readonly int words            # number of words with a cluster, without added upper-case forms
    cdef readonly bint zero_digits     # whether 0 stands for all digits in the words

    cdef uint64_t value(self, const char* form, Py_ssize_t length, int bits) noexcept nogil
    cdef int find(self, const char* form, Py_ssize_t length) noexcept nogil
    cdef int find_hash(self, uint64_t key) noexcept nogil
