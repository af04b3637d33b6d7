"""Tags and their parts."""

from libc.stdint cimport int32_t, uint64_t
from libcpp.vector cimport vector

from gardenpath.tagging.spelling cimport Traits

cdef enum:
    KINDS = 4                          # how features see a tag: UPOS, XPOS, FEATS, all of it
    WHOLE = KINDS - 1


cdef class Tagset:
    cdef readonly list tags
    cdef readonly int classes          # how many parts there are
    cdef readonly int most_parts       # that a tag has
    cdef vector[int] parts             # the classes of the parts, tag after tag
    cdef vector[int] part_ends         # by tag: where its parts end
    cdef vector[uint64_t] values       # KINDS a tag
    cdef vector[int] upos_numbers      # by tag

    cdef int32_t score(self, int tag, const int32_t* scores) noexcept nogil
    cdef int list_difference(self, int tag, int other, int* parts) noexcept nogil
    cdef void write(self, int tag, Traits* word) noexcept nogil


cdef inline uint64_t tag_value(Tagset tagset, int tag, int kind) noexcept nogil:
    """The value of a tag, or of one of its columns, as a feature."""
    return tagset.values[KINDS * tag + kind]
