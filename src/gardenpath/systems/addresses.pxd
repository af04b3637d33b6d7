"""Word addresses such as S0, N1 or S0l."""

from gardenpath.core.configuration cimport Configuration
from gardenpath.systems.base cimport TransitionSystem

cdef enum:
    MAX_ADDRESSES = 64

cdef struct Address:
    int step               # a base or an AddressStep
    int argument           # index on the stack or in the buffer, or number of the address to step from


cdef class Addresses:
    cdef readonly int count
    cdef TransitionSystem system
    cdef dict numbers
    cdef Address addresses[MAX_ADDRESSES]

    cdef void read(self, const Configuration* c, int move, int* words, int first, int end) noexcept nogil
