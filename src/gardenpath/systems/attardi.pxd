from gardenpath.systems.arc_standard cimport ArcStandard


cdef class Attardi(ArcStandard):
    pass
