"""Tags, lemma rules and the parser's word vectors, from the states of a sentence encoder."""

from libc.stdint cimport int8_t, uint32_t

from gardenpath.core.given_tags cimport TagChoice
from gardenpath.network.encoding cimport Encoding
from gardenpath.network.kernels cimport TagResult, TagTable


cdef class Heads:
    cdef readonly int outputs          # the size of z
    cdef readonly int rules
    cdef readonly int size             # of the parser's word vector
    cdef const float[::1] bias
    cdef const uint32_t[::1] tag_parts
    cdef const uint32_t[::1] tag_ends
    cdef const float[:, ::1] tag_inputs
    cdef bint has_rule_inputs                  # models of earlier versions have none
    cdef const int8_t[:, ::1] rule_inputs      # by part, the last ones: what it adds to the scores of lemma rules
    cdef const float[::1] rule_scales
    cdef int first_rule_input                  # the part of the first row
    cdef TagTable table

    cdef int run(self, float* scores, const Py_ssize_t* numbers, int count, Encoding encoding) except -1 nogil
    cdef void _add_rule_inputs(self, int tag, float* scores) noexcept nogil
    cdef void _keep_inputs(
        self, const float* scores, const Py_ssize_t* numbers, int count, Encoding encoding
    ) noexcept nogil
    cdef void _mix_given(
        self, float* scores, const Py_ssize_t* numbers, int count, Encoding encoding, TagResult* results
    ) noexcept nogil
    cdef TagResult _mix(self, const float* scores, TagChoice given, float* room, float* vector) noexcept nogil
    cdef float _score(self, int tag, const float* scores) noexcept nogil
    cdef int _finish(self, float* scores, const Py_ssize_t* numbers, int count, Encoding encoding) except -1 nogil
