# cython: boundscheck=False, wraparound=False
"""LSTMs over many sequences at once.

    gates = W x + U h + b          (i, f, g, o)
    c'    = sig(f) c + sig(i) tanh(g)
    h'    = sig(o) tanh(c')        (int8, in units of 1/127)
"""

from libc.string cimport memcpy

from gardenpath.core.stored import BadModelError
from gardenpath.network.kernels cimport kernels, padded

cdef enum:
    BLOCK = 96                 # rows of W x that are computed together, unless one step has more
    MAX_HIDDEN = 4096


cdef class Lstm:
    """An LSTM in one direction. Its arrays are NAME.in, NAME.back and NAME.bias; `back` runs from the end."""

    def __init__(self, arrays, str name, bint back, inputs=None):
        self.recurrent = arrays.matrix(f"{name}.back")
        self.hidden, self.back = self.recurrent.packed.inputs, back
        if self.recurrent.packed.outputs != 4 * self.hidden or self.hidden > MAX_HIDDEN:
            raise BadModelError(f"the array '{arrays.prefix}{name}.back' does not have 4 times as many rows as columns")
        self.input = arrays.matrix(f"{name}.in", 4 * self.hidden, inputs)
        self.bias = arrays.get(f"{name}.bias", "F32", 4 * self.hidden)

    cdef int begin(self, int sequences, int rows, LstmScratch* scratch) except -1 nogil:
        """Set the states of all sequences to 0, and make room for the gates of this number of rows."""
        scratch.cells.assign(<size_t>sequences * self.hidden, 0)
        scratch.states.assign(<size_t>sequences * padded(self.hidden), 0)
        scratch.gates.resize(max(scratch.gates.size(), <size_t>rows * 4 * self.hidden))
        return 0

    cdef void advance(self, float* gates, int count, LstmScratch* scratch) noexcept nogil:
        """Advance the first sequences by one step. The gates contain W x + b."""
        self.recurrent.multiply(
            scratch.states.data(), padded(self.hidden), NULL, count, NULL, True, gates, 4 * self.hidden
        )
        kernels().lstm_step(
            gates, scratch.cells.data(), scratch.states.data(), padded(self.hidden), self.hidden, count
        )

    cdef int run(self, const Sequences* sequences, const int8_t* inputs, size_t stride, const float* scales,
                 int8_t* out, size_t out_stride, LstmScratch* scratch) except -1 nogil:
        """Write the states of all steps. The scales of the inputs are NULL if the inputs are states themselves."""
        cdef int first = sequences.steps if self.back else 0, end = first, start
        self.begin(sequences.count, max(<int>BLOCK, sequences.count), scratch)
        while first > 0 if self.back else end < sequences.steps:
            if self.back:
                end, first = first, first - 1
                while first > 0 and sequences.offsets[end] - sequences.offsets[first - 1] <= BLOCK:
                    first -= 1
            else:
                first, end = end, end + 1
                while end < sequences.steps and sequences.offsets[end + 1] - sequences.offsets[first] <= BLOCK:
                    end += 1
            start = sequences.offsets[first]
            self.input.multiply(
                inputs + start * stride, stride, <const float*>NULL if scales == NULL else scales + start,
                sequences.offsets[end] - start, &self.bias[0], False, scratch.gates.data(), 4 * self.hidden,
            )
            self._run_steps(sequences, first, end, out, out_stride, scratch)
        return 0

    cdef void _run_steps(self, const Sequences* sequences, int first, int end, int8_t* out, size_t out_stride,
                         LstmScratch* scratch) noexcept nogil:
        cdef int i, row, step, sequence, steps = end - first
        for i in range(steps):
            step = end - 1 - i if self.back else first + i
            row = sequences.offsets[step]
            self.advance(
                scratch.gates.data() + <size_t>(row - sequences.offsets[first]) * 4 * self.hidden,
                sequences.active[step], scratch,
            )
            for sequence in range(sequences.active[step]):
                memcpy(
                    out + (row + sequence) * out_stride, scratch.states.data() + sequence * padded(self.hidden),
                    self.hidden,
                )


cdef class Layer:
    """LSTMs in both directions, and the layers above it. Its arrays are layerN.ahead and layerN.back."""

    def __init__(self, arrays, int number, int inputs):
        name = f"layer{number}"
        self.ahead = Lstm(arrays, f"{name}.ahead", False, inputs)
        self.back = Lstm(arrays, f"{name}.back", True, inputs)
        if self.ahead.hidden != self.back.hidden:
            raise BadModelError(f"the two directions of {arrays.prefix}{name} have different sizes")
        self.size = 2 * self.ahead.hidden
        self.above = None
        if f"layer{number + 1}.ahead.in" in arrays:
            self.above = Layer(arrays, number + 1, self.size)

    @property
    def top(self):
        """The highest layer."""
        return self if self.above is None else self.above.top

    cdef int run(self, const Sequences* sequences, const int8_t* inputs, size_t stride, const float* scales,
                 LayerScratch* scratch) except -1 nogil:
        """Write the states of the highest layer: [rows, padded size]."""
        cdef size_t width = padded(self.size)
        scratch.states.resize(max(scratch.states.size(), sequences.rows * width))
        self.ahead.run(sequences, inputs, stride, scales, scratch.states.data(), width, &scratch.lstm)
        self.back.run(
            sequences, inputs, stride, scales, scratch.states.data() + self.ahead.hidden, width, &scratch.lstm
        )
        if self.above is not None:
            scratch.states.swap(scratch.lower_states)
            self.above.run(sequences, scratch.lower_states.data(), width, NULL, scratch)
        return 0
