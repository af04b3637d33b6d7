from gardenpath.core.configuration cimport Configuration
from gardenpath.systems.base cimport TransitionSystem


cdef class ArcEager(TransitionSystem):
    cdef bint left_arc_repairs     # NM-L: Left-Arc may replace the head of a taken word
    cdef bint reduce_repairs       # NM-D: Reduce may attach a free word to the one below


cdef class Rootless(TransitionSystem):
    cdef void shifted(self, Configuration* c, int word) noexcept nogil
