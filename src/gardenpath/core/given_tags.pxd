"""Given tags: which tags the words of a batch can get."""

from libcpp.vector cimport vector

cdef struct TagChoice:         # the tags that agree with what is given of a word
    const int* tags            # their numbers, in increasing order
    int count                  # 0: every tag


cdef class GivenTags:
    cdef readonly Py_ssize_t words
    cdef readonly int tag_count         # of the tag set
    cdef vector[int] choices   # by word: the number of its choice; NONE if it can get every tag
    cdef vector[int] ends      # by choice: end of its tags
    cdef vector[int] tags      # of all choices

    cdef TagChoice choice(self, Py_ssize_t word) noexcept nogil


cdef int require_tag_set(GivenTags given, int tags) except -1
