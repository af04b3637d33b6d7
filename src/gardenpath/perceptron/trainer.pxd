"""Online training of the perceptron."""

from libc.stdint cimport int64_t

from gardenpath.perceptron.growing cimport GrowingWeights
from gardenpath.perceptron.scorer cimport Perceptron, PerceptronSession
from gardenpath.parsing.hypothesis cimport Choice
from gardenpath.parsing.walk cimport TrainingWalk


cdef class PerceptronTrainer(TrainingWalk):
    cdef readonly Perceptron scorer
    cdef readonly int64_t steps            # decisions so far
    cdef readonly int64_t mistakes
    cdef GrowingWeights weights
    cdef PerceptronSession scoring         # the session
    cdef double margin                     # an update is also made for a right decision that leads by less than this

    cdef int _update_one(self, int move, int good, int bad) except -1 nogil
