"""A parser: a scorer, a search and the policies around them."""

from libc.stdint cimport int8_t
from libcpp.vector cimport vector

from gardenpath.constraints.base cimport GivenBatch
from gardenpath.core.calibration cimport Calibration
from gardenpath.core.margins cimport ArcMargins
from gardenpath.parsing.base cimport Search
from gardenpath.parsing.hypothesis cimport Hypothesis
from gardenpath.parsing.scorer cimport EncodedBatch, Scorer
from gardenpath.systems.base cimport TransitionSystem
from gardenpath.systems.classes cimport Classes


cdef class Trees:
    cdef int[::1] first                # by sentence: the place of its first word
    cdef int[::1] heads
    cdef int[::1] labels
    cdef vector[ArcMargins] margins
    cdef int8_t[::1] is_marked         # by sentence: whether a label of its tree is decorated


cdef class Parser:
    cdef readonly Scorer scorer
    cdef readonly TransitionSystem system
    cdef readonly Classes classes
    cdef readonly bint single_root
    cdef readonly str nonprojective    # what training did with trees that the system cannot build
    cdef readonly int width            # of the beam; 1 is greedy search
    cdef readonly Calibration calibration      # None if probabilities are unknown
    cdef int8_t[::1] is_decorated      # by label

    cdef Trees search(self, EncodedBatch batch, GivenBatch given)
    cdef int _search_greedily(self, list numbers, EncodedBatch batch, GivenBatch given, Trees trees) except -1
    cdef int _search_with_beam(self, list numbers, EncodedBatch batch, GivenBatch given, Trees trees) except -1
    cdef int _prepare(self, Search search, GivenBatch given) except -1
    cdef int _write(self, Trees trees, const Hypothesis* h) noexcept nogil
    cdef list _fill(self, list sentences, Trees trees, list given)
    cdef int _set_confidence(self, sentence, Trees trees, int first) except -1
    cpdef tuple lowered(self, list heads, list labels)
    cdef tuple tree_of(self, const Hypothesis* h, words, given)
