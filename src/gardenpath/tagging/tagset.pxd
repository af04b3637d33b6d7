"""Tags and their parts."""

from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from gardenpath.tagging.spelling cimport Traits

cdef enum:
    KINDS = 4                          # number of values of a tag: UPOS, XPOS, FEATS, and the whole tag
    WHOLE = KINDS - 1


cdef class Tagset:
    cdef readonly list tags
    cdef readonly int classes          # number of different parts
    cdef readonly int most_parts       # the largest number of parts of a tag
    cdef vector[int] parts             # the classes of the parts of all tags
    cdef vector[int] part_ends         # by tag: end of its parts
    cdef vector[uint64_t] values       # KINDS values per tag
    cdef vector[int] upos_numbers      # by tag

    cdef int32_t score(self, int tag, const int32_t* scores) noexcept nogil
    cdef int list_difference(self, int tag, int other, int* parts) noexcept nogil
    cdef void write(self, int tag, Traits* word) noexcept nogil


cdef inline uint64_t tag_value(Tagset tagset, int tag, int kind) noexcept nogil:
    """Return the value of a tag, or of one of its columns, for features."""
    return tagset.values[KINDS * tag + kind]
