"""The training walk: parse training sentences and compare each prediction with an oracle."""

from libc.stdint cimport uint64_t

from gardenpath.core.gold cimport Gold
from gardenpath.parsing.base cimport Search
from gardenpath.parsing.hypothesis cimport Choice, Hypothesis
from gardenpath.parsing.judge cimport Judge


cdef class GoldTrees:
    cdef Gold* trees
    cdef readonly int size


cdef class TrainingWalk(Search):
    cdef Hypothesis h
    cdef Judge judge
    cdef GoldTrees gold
    cdef double explore                    # the probability that a wrong prediction is followed
    cdef uint64_t random                   # the state of the generator that exploration draws from
    cdef object watch                      # a Python function that gets every configuration, or None
    cdef bint is_watched

    cdef int walk(self, int number) except -1 nogil
    cdef int learn(self, Choice wanted, Choice rival, bint is_right) except -1 nogil
    cdef int made(self, Choice choice, bint is_scored) except -1 nogil
    cdef bint compare(self, const Gold* gold, Choice* wanted, Choice* rival) noexcept nogil
    cdef int show(self, const Gold* gold) except -1 with gil
    cdef bint _explores(self) noexcept nogil
