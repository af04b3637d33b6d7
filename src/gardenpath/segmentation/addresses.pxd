"""Web and e-mail addresses in a text."""

from gardenpath.segmentation.passage cimport Character

cdef struct Address:
    int begin                  # index of its first character
    int end                    # index after its last character


cdef Address find_address(const Character* c, int begin, int end) noexcept nogil
