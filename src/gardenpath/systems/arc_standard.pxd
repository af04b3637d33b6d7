from gardenpath.systems.base cimport TransitionSystem


cdef class ArcStandard(TransitionSystem):
    pass
