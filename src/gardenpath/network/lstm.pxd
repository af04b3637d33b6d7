"""LSTMs over many sequences at once."""

from libc.stdint cimport int8_t
from libcpp.vector cimport vector

from gardenpath.network.kernels cimport Matrix


cdef extern from "sequences.h" namespace "gp" nogil:
    cppclass Sequences:
        vector[int] active
        vector[int] offsets
        int count
        int steps
        int rows
        void set(const int* lengths, int number) except +


cdef struct LstmScratch:
    vector[float] gates
    vector[float] cells
    vector[int8_t] states


cdef class Lstm:
    cdef readonly int hidden
    cdef readonly Matrix input
    cdef readonly Matrix recurrent
    cdef const float[::1] bias
    cdef readonly bint back

    cdef int begin(self, int sequences, int rows, LstmScratch* scratch) except -1 nogil
    cdef void advance(self, float* gates, int count, LstmScratch* scratch) noexcept nogil
    cdef int run(self, const Sequences* sequences, const int8_t* inputs, size_t stride, const float* scales,
                 int8_t* out, size_t out_stride, LstmScratch* scratch) except -1 nogil
    cdef void _run_steps(self, const Sequences* sequences, int first, int end, int8_t* out, size_t out_stride,
                         LstmScratch* scratch) noexcept nogil


cdef struct LayerScratch:
    vector[int8_t] states          # of the layer that ran last
    vector[int8_t] lower_states    # of the layer below it
    LstmScratch lstm


cdef class Layer:
    cdef readonly int size             # of a state of both directions
    cdef readonly Lstm ahead
    cdef readonly Lstm back
    cdef readonly Layer above

    cdef int run(self, const Sequences* sequences, const int8_t* inputs, size_t stride, const float* scales,
                 LayerScratch* scratch) except -1 nogil
