"""Beam search: the best derivations side by side, as many as the beam is wide."""

from libc.stdint cimport int64_t, uint64_t
from libcpp.vector cimport vector

from gardenpath.core.configuration cimport Configuration
from gardenpath.features.encoding cimport EncodedSentence
from gardenpath.search.greedy cimport Choice, GreedyParser, Workspace

cdef struct Link:
    int previous           # where the link before it stands, NONE at the start
    Choice choice
    int remembered         # the label that the pushed word remembers, NONE if there is none
    bint is_forced         # was there nothing to choose?
    bint is_scored

cdef struct Item:
    Configuration c
    int link               # the last move
    int64_t score          # of all scored moves together
    int length             # how many these are
    bint is_right          # has nothing gone wrong on the way, as far as somebody has judged it?

cdef struct Candidate:
    int item               # whom it continues
    Link link              # its move is NONE if the item has ended
    int64_t score
    int length
    bint is_right


cdef class Beam:
    cdef readonly int width
    cdef Workspace space               # where configurations are scored, lent by their items
    cdef Item* items                   # the present ones, the best first
    cdef Item* others                  # room for the next ones
    cdef int count
    cdef vector[Link] links            # all moves of all items
    cdef vector[Candidate] candidates  # the best of a step, the best first
    cdef vector[uint64_t] seen         # the configurations that a step has led to

    cdef int start(self, GreedyParser parser, const EncodedSentence* sentence) except -1 nogil
    cdef bint is_done(self, GreedyParser parser) noexcept nogil
    cdef int advance(self, GreedyParser parser, const EncodedSentence* sentence) except -1 nogil
    cdef int judge_moves(self) except -1 nogil
    cdef int label_for(self, int move) noexcept nogil
    cdef bint is_right(self, int number, int index, int label) noexcept nogil
    cdef int _find_candidates(self, GreedyParser parser, const EncodedSentence* sentence, int item) except -1 nogil
    cdef void _propose(self, int item, const Link* link, bint is_right) noexcept nogil
    cdef int _continue(self, GreedyParser parser, const Candidate* candidate) except -1 nogil
    cdef void path_of(self, int link, vector[Link]* path) noexcept nogil


cdef class BeamSpace(Workspace):
    cdef Beam beam
    cdef vector[Link] plan             # the moves of the best derivation
    cdef size_t done                   # how many of them have been made

    cdef void follow_item(self, int item) noexcept nogil
    cdef Choice next_choice(self) noexcept nogil


cdef class BeamParser(GreedyParser):
    cdef int begin_with(self, BeamSpace space, const EncodedSentence* sentence, int item) except -1 nogil
    cdef int search(self, BeamSpace space, const EncodedSentence* sentence) except -1 nogil
    cdef int _plan_again(self, BeamSpace space, const EncodedSentence* sentence) except -1 nogil
    cdef int complete(self, BeamSpace space, const EncodedSentence* sentence) except -1 nogil


cdef inline bint is_ahead(int64_t score, int length, int64_t other_score, int other_length) noexcept nogil:
    """Is the one average above the other? Lengths may be 0, where the score is 0, too."""
    return score * max(other_length, 1) > other_score * max(length, 1)


cdef void look_at(GreedyParser parser, Workspace space, const EncodedSentence* sentence, Link* link) noexcept nogil
cdef void follow(GreedyParser parser, Configuration* c, const Link* link) noexcept nogil
