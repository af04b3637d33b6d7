from gardenpath.systems.arc_standard cimport ArcStandard


cdef class LRSpine(ArcStandard):
    pass
