"""Products of int8 matrices and element-wise functions, chosen for the machine at run time."""

from libc.stdint cimport int8_t, int32_t, uint32_t
from libcpp.vector cimport vector

cdef extern from "kernels.h" namespace "gp" nogil:
    enum:
        PANEL
        STEP
        LANES
    const float LEAST_PROBABILITY
    cppclass PackedMatrix:
        int outputs
        int inputs
        int panels
        int steps
        const int8_t* weights
        const float* scales
        const int32_t* offsets
    cppclass Product:
        const int8_t* rows
        size_t stride
        const float* scales
        int count
        const float* bias
        bint add
        float* out
        size_t out_stride
    cppclass TagTable:
        int tags
        int parts
        int size
        const uint32_t* members
        const uint32_t* ends
        const float* inputs
    cppclass TagResult:
        int32_t tag
        float probability
    cppclass Kernels:
        const char* name
        void multiply(const PackedMatrix& matrix, const Product& product)
        void exponential(float* values, size_t count)
        void lstm_step(float* gates, float* cells, int8_t* states, size_t state_stride, int hidden, int count)
        float quantise(const float* values, int size, bint relu, int8_t* out)
        void mix_tags(const TagTable& table, const float* scores, size_t stride, int count, float* scratch,
                      TagResult* results, float* vectors, size_t vector_stride)


cdef const Kernels* kernels() noexcept nogil


cdef inline int padded(int size) noexcept nogil:
    """Return the number of bytes that a row of int8 inputs occupies: a multiple of 4."""
    return (size + 3) & ~3


cdef class Matrix:
    cdef PackedMatrix packed
    cdef vector[int8_t] weights
    cdef vector[float] scales
    cdef vector[int32_t] offsets

    cdef void multiply(self, const int8_t* rows, size_t stride, const float* scales, int count, const float* bias,
                       bint add, float* out, size_t out_stride) noexcept nogil
    cdef void _pack(self, const int8_t[:, ::1] weights, const float[::1] scales) except *
