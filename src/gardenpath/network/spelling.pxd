"""Vectors of forms from their characters, an embedding and a pretrained vector."""

from libc.stdint cimport int8_t, uint32_t, uint64_t
from libcpp.vector cimport vector

from gardenpath.core.lexicon cimport Lexicon
from gardenpath.network.kernels cimport Matrix
from gardenpath.network.lstm cimport Lstm, LstmScratch, Sequences

cdef enum:
    MAX_CHARACTERS = 32        # of a form; the first and the last half of a longer one are read


cdef struct Form:
    const char* utf8
    int length
    uint64_t hash              # of its bytes


cdef struct FormScratch:
    vector[uint32_t] points    # code points of a form
    vector[char] lowered
    vector[int] characters     # [forms, MAX_CHARACTERS]
    vector[int] lengths        # in characters, of the forms in order
    vector[int] order          # forms by number of characters, the longest first
    vector[uint64_t] keys
    Sequences sequences
    LstmScratch lstm
    vector[int8_t] spelt       # c of all forms
    vector[int8_t] pretrained  # g of all forms
    vector[float] pretrained_scales
    vector[float] sums


cdef class FormEncoder:
    cdef readonly int size
    cdef const uint32_t[::1] characters
    cdef readonly Lstm ahead
    cdef readonly Lstm back
    cdef vector[float] gates_ahead         # W x + b of each character
    cdef vector[float] gates_back
    cdef readonly Matrix spelt
    cdef const float[::1] bias
    cdef Lexicon forms
    cdef const int8_t[:, ::1] rows
    cdef const float[::1] row_scales
    cdef Lexicon pretrained                # None without pretrained vectors
    cdef const int8_t[:, ::1] pretrained_rows
    cdef const float[::1] pretrained_scales
    cdef readonly Matrix pretrained_weight

    cdef int encode(self, const Form* forms, int count, int8_t* out, size_t stride, float* scales,
                    FormScratch* scratch) except -1 nogil
    cdef int _read(self, const Form* form, int number, FormScratch* scratch) except -1 nogil
    cdef int _character(self, uint32_t point) noexcept nogil
    cdef int _spell(self, Lstm lstm, const float* gates, int count, int first, FormScratch* scratch) except -1 nogil
    cdef void _add_pretrained(self, int count, FormScratch* scratch) noexcept nogil
    cdef void _finish(self, int number, int8_t* out, float* scale, FormScratch* scratch) noexcept nogil
