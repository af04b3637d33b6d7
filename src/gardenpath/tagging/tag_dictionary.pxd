"""The tags of forms in the training data."""

from libc.stdint cimport uint32_t, uint64_t

from gardenpath.core.lexicon cimport Lexicon
from gardenpath.tagging.spelling cimport Traits
from gardenpath.tagging.tagset cimport Tagset

cdef enum:
    TAG_BITS = 16                      # the low bits are the number of a tag, the others its frequency


cdef class TagDictionary:
    cdef readonly Tagset tagset
    cdef readonly Lexicon lexicon      # the start of each entry, by form
    cdef readonly object entries_array
    # An entry is the number of tags, followed by the tags, the most frequent first. The entry at 0 has the tags of all
    # forms that are not frequent.
    cdef const uint32_t[::1] entries

    cdef void look_up(self, Traits* word, int without) noexcept nogil
    cdef bint knows(self, uint64_t key) noexcept nogil
    cdef int candidates(self, const Traits* word, const uint32_t** tags) noexcept nogil
    cdef bint _read_entry(self, uint32_t place, int without, Traits* word) noexcept nogil


cdef inline int tag_of(uint32_t entry) noexcept nogil:
    return entry & ((1 << TAG_BITS) - 1)


cdef uint64_t lower_key(const uint64_t* values) noexcept nogil
