from gardenpath.oracles.base cimport Oracle
from gardenpath.systems.base cimport Configuration


cdef class ExactOracle(Oracle):
    cdef dict found          # what the search found, by configuration
    cdef list gold_heads     # the tree it was for

    cdef Configuration _after(self, Configuration c, str move)
    cdef long _search(self, Configuration c) except -1
