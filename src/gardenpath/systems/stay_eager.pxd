from gardenpath.core.configuration cimport Configuration
from gardenpath.systems.base cimport TransitionSystem


cdef class StayEager(TransitionSystem):
    cdef bint _ends_in_root(self, const Configuration* c) noexcept nogil
