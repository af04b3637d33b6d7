"""Beam search: keep the best derivations of each sentence."""

from libc.stdint cimport uint64_t
from libcpp.vector cimport vector

from gardenpath.parsing.base cimport Search
from gardenpath.parsing.hypothesis cimport Choice, Hypothesis

cdef struct Link:          # a transition of a derivation
    int previous           # the index of the transition before it, NONE at the start
    Choice choice
    int front_label        # of the derivation before this transition
    bint is_forced         # whether the transition needed no choice
    bint is_scored

cdef struct Rivals:        # what the margins of a continuation are measured against
    int move               # the best transition
    double score
    double second_score    # the best score of any other transition
    int label_index        # the best class of a transition
    double label_score
    double second_label_score

cdef struct Candidate:
    Hypothesis* source     # the derivation that it continues
    Link link              # its transition is NONE if the derivation has ended
    double score
    int length
    bint is_right


cdef class Beam(Search):
    cdef readonly int width
    cdef bint is_normalised                # whether forced transitions are made at once, without a score
    cdef double margin                     # a derivation that is worse than the best one by more than this is dropped
    cdef int capacity                      # sentences at once
    cdef int room                          # derivations per sentence
    cdef Hypothesis* hypotheses
    cdef vector[vector[Hypothesis*]] beams         # by sentence, the best first
    cdef vector[vector[Hypothesis*]] spare         # by sentence
    cdef vector[vector[Candidate]] candidates      # by sentence, the best first
    cdef vector[Hypothesis*] waiting       # those to be scored in this round
    cdef int scored                        # the number of those that have been scored
    cdef vector[Link] links                # the transitions of all derivations
    cdef vector[uint64_t] seen             # signatures of the configurations of the next beam

    cdef int begin(self, const int* sentences, int count) except -1 nogil
    cdef int begin_at(self, const Hypothesis* h) except -1 nogil
    cdef int run(self) except -1 nogil
    cdef bint is_done(self) noexcept nogil
    cdef int advance(self) except -1 nogil
    cdef int expand(self) except -1 nogil
    cdef int score_more(self) except -1 nogil
    cdef int judge(self, Hypothesis* h) except -1 nogil
    cdef int label_for(self, const Hypothesis* h, int move) noexcept nogil
    cdef bint is_right(self, int number, int index, int label) noexcept nogil
    cdef void path_of(self, int link, vector[Link]* path) noexcept nogil
    cdef void list_waiting(self) noexcept nogil
    cdef int settle(self, Hypothesis* h) except -1 nogil
    cdef void _reset(self, int count) noexcept nogil
    cdef int _propose_all(self, int number, Hypothesis* h) except -1 nogil
    cdef double _least(self, int number, const Hypothesis* h) noexcept nogil
    cdef void _find_best_moves(self, Hypothesis* h, Rivals* rivals) noexcept nogil
    cdef void _propose(self, int number, Hypothesis* h, const Link* link, bint is_right) noexcept nogil
    cdef int _replace(self, int number) except -1 nogil
    cdef int _replace_by_one(self, int number) except -1 nogil
    cdef void _drop_hopeless(self, vector[Candidate]* candidates) noexcept nogil
    cdef int _continue(self, Hypothesis* target, const Candidate* candidate) except -1 nogil
    cdef bint _is_known(self, int number, const Hypothesis* target) noexcept nogil


cdef bint needs_score(const Hypothesis* h) noexcept nogil
cdef void read_link(const Hypothesis* h, Link* link) noexcept nogil
cdef double average(double score, int length) noexcept nogil
