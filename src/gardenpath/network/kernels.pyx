# cython: boundscheck=False, wraparound=False
"""Products of int8 matrices and element-wise functions, chosen for the machine at run time.

All instruction sets give the same bits. Other modules get the functions from `kernels()`, so that `use` has effect
everywhere.
"""

from libc.math cimport isfinite
from libc.stdint cimport int8_t
from libc.string cimport memcpy

from gardenpath.core.stored import BadModelError
from gardenpath.errors import UsageError


cdef extern from "instruction_sets.h" namespace "gp" nogil:
    const Kernels* kernels_of(int number)

cdef enum:
    SETS = 3
    MAX_SIZE = 65536       # of inputs and outputs; sums of products fit into int32

cdef const Kernels* _current = NULL


cdef const Kernels* kernels() noexcept nogil:
    """Return the functions for the instruction set in use."""
    return _current


def available():
    """Return the names of the instruction sets that this machine supports, the fastest first."""
    return [kernels_of(i).name.decode() for i in range(SETS) if kernels_of(i) != NULL]


def used():
    """Return the name of the instruction set in use."""
    return _current.name.decode()


def use(str name):
    """Choose an instruction set, for tests and measurements."""
    global _current
    for i in range(SETS):
        if kernels_of(i) != NULL and kernels_of(i).name.decode() == name:
            _current = kernels_of(i)
            return
    raise UsageError(f"{name!r} is not an instruction set of this machine; choose from {', '.join(available())}")


cdef class Matrix:
    """An int8 matrix [outputs, inputs] with a scale per output: the value of a weight is its int8 times the scale."""

    def __init__(self, weights, scales, str name="a matrix"):
        cdef const int8_t[:, ::1] rows
        cdef const float[::1] factors
        try:
            rows, factors = memoryview(weights), memoryview(scales)
        except (TypeError, ValueError):
            raise BadModelError(f"{name!r} must be int8 with two dimensions, and its scales float32 with one") from None
        if not (0 < rows.shape[0] <= MAX_SIZE and 0 < rows.shape[1] <= MAX_SIZE):
            raise BadModelError(f"{name!r} has a size of {rows.shape[0]} x {rows.shape[1]}, which is not supported")
        if factors.shape[0] != rows.shape[0]:
            raise BadModelError(f"{name!r} has {rows.shape[0]} rows, but {factors.shape[0]} scales")
        self._pack(rows, factors)
        for scale in self.scales:
            if not isfinite(scale):
                raise BadModelError(f"{name!r} has a scale that is not a finite number")

    cdef void _pack(self, const int8_t[:, ::1] weights, const float[::1] scales) except *:
        cdef int outputs = <int>weights.shape[0], inputs = <int>weights.shape[1]
        cdef int output, i
        cdef size_t start
        self.packed.outputs, self.packed.inputs = outputs, inputs
        self.packed.panels, self.packed.steps = (outputs + PANEL - 1) // PANEL, (inputs + STEP - 1) // STEP
        self.weights.assign(<size_t>self.packed.panels * self.packed.steps * PANEL * STEP, 0)
        self.scales.assign(self.packed.panels * PANEL, 0)
        self.offsets.assign(self.packed.panels * PANEL, 0)
        for output in range(outputs):
            start = <size_t>(output // PANEL) * self.packed.steps * PANEL * STEP + output % PANEL * STEP
            self.scales[output] = scales[output]
            for i in range(inputs):
                self.weights[start + <size_t>(i // STEP) * PANEL * STEP + i % STEP] = weights[output, i]
                self.offsets[output] -= 128 * weights[output, i]
        self.packed.weights = self.weights.data()
        self.packed.scales = self.scales.data()
        self.packed.offsets = self.offsets.data()

    @property
    def shape(self):
        """The numbers of outputs and inputs."""
        return self.packed.outputs, self.packed.inputs

    cdef void multiply(self, const int8_t* rows, size_t stride, const float* scales, int count, const float* bias,
                       bint add, float* out, size_t out_stride) noexcept nogil:
        """Compute out = start + W x for `count` rows x. See `Product` in kernels.h for the arguments."""
        cdef Product product
        product.rows, product.stride, product.scales, product.count = rows, stride, scales, count
        product.bias, product.add, product.out, product.out_stride = bias, add, out, out_stride
        _current.multiply(self.packed, product)

    def product(self, const int8_t[:, ::1] rows, const float[::1] scales, const float[::1] bias=None, out=None):
        """Return the product with each row as a float32 array: the bias, or `out`, plus W x."""
        import numpy as np

        cdef Py_ssize_t count = rows.shape[0]
        cdef int outputs = self.packed.outputs, width = padded(self.packed.inputs)
        if rows.shape[1] != self.packed.inputs or scales.shape[0] != count:
            raise UsageError(f"the rows need {self.packed.inputs} values and one scale each")
        if bias is not None and bias.shape[0] != outputs:
            raise UsageError(f"the bias needs {outputs} values")
        cdef float[:, ::1] result = np.empty((count, outputs), np.float32) if out is None else out
        if result.shape[0] != count or result.shape[1] != outputs:
            raise UsageError(f"the output needs {count} x {outputs} values")
        cdef vector[int8_t] copy
        cdef const float* start = NULL
        cdef Py_ssize_t i
        copy.resize(count * width)
        if bias is not None:
            start = &bias[0]
        for i in range(count):
            memcpy(copy.data() + i * width, &rows[i, 0], rows.shape[1])
        if count:
            with nogil:
                self.multiply(
                    copy.data(), width, &scales[0], <int>count, start, out is not None, &result[0, 0], outputs
                )
        return result.base


def exponential(float[::1] values):
    """Replace values by their exponentials."""
    if values.shape[0]:
        _current.exponential(&values[0], values.shape[0])


def lstm_step(float[:, ::1] gates, float[:, ::1] cells, int8_t[:, ::1] states):
    """Advance LSTMs by one step. Gates are overwritten, cells and states updated."""
    cdef int hidden = <int>cells.shape[1]
    if gates.shape[1] != 4 * hidden or states.shape[1] != hidden or not (
        gates.shape[0] == cells.shape[0] == states.shape[0]
    ):
        raise UsageError("gates, cells and states must have 4 * n, n and n columns and as many rows as each other")
    if cells.shape[0] and hidden:
        _current.lstm_step(&gates[0, 0], &cells[0, 0], &states[0, 0], hidden, hidden, <int>cells.shape[0])


def quantise(const float[::1] values, int8_t[::1] out, bint relu=False):
    """Round a vector to int8 and return its scale. With `relu`, negative values become 0 first."""
    if values.shape[0] != out.shape[0] or not values.shape[0]:
        raise UsageError("the values and the output must have the same size, which must not be 0")
    return _current.quantise(&values[0], <int>values.shape[0], relu, &out[0])


use(available()[0])
