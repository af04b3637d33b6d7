"""Checks in native loops whether they should stop."""

cdef enum:
    CHECKED_STEPS = 4096       # transitions between two checks

cdef int checked(int count, int most) except -1 nogil
