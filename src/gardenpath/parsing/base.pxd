"""The base class of greedy search, beam search and the training walk."""

from gardenpath.constraints.base cimport Constraint, GivenBatch
from gardenpath.parsing.hypothesis cimport Choice, Hypothesis
from gardenpath.parsing.scorer cimport EncodedBatch, Scorer, Scores, Session
from gardenpath.systems.base cimport TransitionSystem
from gardenpath.systems.classes cimport Classes


cdef struct ClassRange:
    int first
    int end                # the class after the last one


cdef class Search:
    cdef readonly TransitionSystem system
    cdef readonly Classes classes
    cdef readonly EncodedBatch batch
    cdef readonly bint single_root
    cdef Session session
    cdef bint has_memory           # copied from the session
    cdef bint keeps_rejected       # whether the single-root policy needs the best rejected arc of each word
    cdef bint keeps_margins        # whether the words get their margins
    cdef Constraint constraint     # of the given arcs; None if nothing is given
    cdef GivenBatch given
    cdef int usual_labels[2]       # the most frequent label of arcs to the left and to the right
    cdef int focus_bases[2]        # the addresses of the two words in focus (`system.pair`)
    cdef int focus_indices[2]

    cdef int prepare(self, Scorer scorer, EncodedBatch batch, Session session, bint single_root) except -1
    cdef int respect(self, Constraint constraint, GivenBatch given) except -1
    cdef int start(self, Hypothesis* h, int sentence) except -1 nogil
    cdef int find_forced(self, Hypothesis* h) except -1 nogil
    cdef bint _is_labelled_later(self, const Hypothesis* h, int move) noexcept nogil
    cdef int run_ahead(self, Hypothesis* h) except -1 nogil
    cdef int score(self, Hypothesis* h) except -1 nogil
    cdef ClassRange classes_of(self, const Hypothesis* h, int move) noexcept nogil
    cdef int given_label(self, const Hypothesis* h, int move) noexcept nogil
    cdef double consider(self, Hypothesis* h, int move, Choice* best) noexcept nogil
    cdef Choice best(self, Hypothesis* h) noexcept nogil
    cdef float label_margin(self, Hypothesis* h, Choice choice) noexcept nogil
    cdef void _keep_margins(self, Hypothesis* h, Choice choice, bint is_scored) noexcept nogil
    cdef void _reject(self, Hypothesis* h, int move, double top, double chosen) noexcept nogil
    cdef void note(self, Hypothesis* h) noexcept nogil
    cdef int front_label(self, Hypothesis* h, int move) noexcept nogil
    cdef int take(self, Hypothesis* h, Choice choice, bint is_scored) except -1 nogil
    cdef void finish(self, Hypothesis* h) noexcept nogil


cdef double highest(Scores scores, int first, int end) noexcept nogil
cdef double highest_other(Scores scores, int first, int end, int index) noexcept nogil
cdef int first_of(Scores scores, int first, double value) noexcept nogil
