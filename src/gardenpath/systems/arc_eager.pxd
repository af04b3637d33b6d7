from gardenpath.core.configuration cimport Configuration
from gardenpath.systems.base cimport TransitionSystem


cdef class ArcEager(TransitionSystem):
    cdef bint left_arc_repairs     # NM-L: whether Left-Arc can replace the head of a taken word
    cdef bint reduce_repairs       # NM-D: whether Reduce can attach a free word to the word below it


cdef class Rootless(TransitionSystem):
    cdef void shifted(self, Configuration* c, int word) noexcept nogil
