"""Checks in native loops whether they should stop: because of a signal, or because nobody needs the result."""

from cpython.exc cimport PyErr_CheckSignals

from gardenpath.interruption import check


cdef int checked(int count, int most) except -1 nogil:
    """Return how much was done since the last check. If it is `most` or more, check, and return 0.

    The GIL is taken for a check. It raises `KeyboardInterrupt` or `StoppedError`.
    """
    if count < most:
        return count
    with gil:
        check()
        PyErr_CheckSignals()
    return 0
