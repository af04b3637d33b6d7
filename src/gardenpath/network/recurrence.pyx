# cython: boundscheck=False, wraparound=False
"""The recurrence of LSTMs for training on a CPU. PyTorch makes many small products; this makes few larger ones."""

from libc.stdint cimport int64_t
from libcpp.vector cimport vector

from gardenpath.errors import UsageError

cdef extern from "recurrence.h":
    cppclass Steps:
        int count
        int size
        const int64_t* sizes
        const int64_t* first
    bint gp_has_set(int set) noexcept nogil
    void gp_run_lstm(
        int set, const Steps& steps, bint backwards, const float* weights, float* gates, float* cells,
        float* squashed, float* states,
    ) noexcept nogil
    void gp_run_lstm_back(
        int set, const Steps& steps, bint backwards, const float* weights, float* gates,
        const float* cells, const float* squashed, const float* from_states,
    ) noexcept nogil

SETS = ("avx512", "avx2", "portable")
cdef int _current = 0


def available():
    """Return the names of the instruction sets that this machine supports, the fastest first."""
    return [name for number, name in enumerate(SETS) if gp_has_set(number)]


def use(str name):
    """Choose an instruction set, for tests and measurements."""
    global _current
    if name not in available():
        raise UsageError(f"{name!r} is not an instruction set of this machine; choose from {', '.join(available())}")
    _current = SETS.index(name)


def run(
    const int64_t[::1] sizes, bint backwards, const float[:, ::1] weights, float[:, ::1] gates, float[:, ::1] cells,
    float[:, ::1] squashed, float[:, ::1] states,
):
    """Run an LSTM over the words of a batch (see `recurrence.h` for their order).

    `weights` has a row for each unit of the state and a column for each gate. `gates` holds W x + b, and becomes the
    activations. `cells`, `squashed` (tanh of the cells) and `states` are filled in.
    """
    cdef Steps steps
    cdef vector[int64_t] first
    _set(&steps, &first, sizes, gates, states)
    _check(weights.shape[0] == steps.size and weights.shape[1] == 4 * steps.size)
    _check(cells.shape[0] == gates.shape[0] and squashed.shape[0] == gates.shape[0])
    _check(cells.shape[1] == steps.size and squashed.shape[1] == steps.size)
    with nogil:
        gp_run_lstm(
            _current, steps, backwards, &weights[0, 0], &gates[0, 0], &cells[0, 0], &squashed[0, 0], &states[0, 0]
        )


def run_back(
    const int64_t[::1] sizes, bint backwards, const float[:, ::1] weights, float[:, ::1] gates,
    const float[:, ::1] cells, const float[:, ::1] squashed, const float[:, ::1] from_states,
):
    """Compute gradients: `gates`, the activations of `run`, become the gradients of W x + b.

    `weights` has a row for each gate and a column for each unit of the state. `from_states` are the gradients of the
    states.
    """
    cdef Steps steps
    cdef vector[int64_t] first
    _set(&steps, &first, sizes, gates, from_states)
    _check(weights.shape[0] == 4 * steps.size and weights.shape[1] == steps.size)
    _check(cells.shape[0] == gates.shape[0] and squashed.shape[0] == gates.shape[0])
    _check(cells.shape[1] == steps.size and squashed.shape[1] == steps.size)
    with nogil:
        gp_run_lstm_back(
            _current, steps, backwards, &weights[0, 0], &gates[0, 0], &cells[0, 0], &squashed[0, 0],
            &from_states[0, 0],
        )


cdef int _set(
    Steps* steps, vector[int64_t]* first, const int64_t[::1] sizes, const float[:, ::1] gates,
    const float[:, ::1] states,
) except -1:
    cdef Py_ssize_t i
    cdef int64_t total = 0
    for i in range(sizes.shape[0]):
        first.push_back(total)
        total += sizes[i]
        _check(sizes[i] > 0 and (i == 0 or sizes[i] <= sizes[i - 1]))
    _check(total > 0 and gates.shape[0] == total and states.shape[0] == total)
    _check(states.shape[1] % 16 == 0 and gates.shape[1] == 4 * states.shape[1])
    steps.count, steps.size = <int>sizes.shape[0], <int>states.shape[1]
    steps.sizes, steps.first = &sizes[0], first.data()
    return 0


cdef int _check(bint condition) except -1:
    if not condition:
        raise UsageError("the arrays of an LSTM do not fit together")
    return 0


use(available()[0])
