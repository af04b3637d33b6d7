from gardenpath.systems.arc_standard cimport ArcStandard


cdef class Swap(ArcStandard):
    pass
