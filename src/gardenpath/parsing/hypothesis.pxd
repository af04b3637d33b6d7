"""An unfinished derivation."""

from gardenpath.core.configuration cimport Configuration
from gardenpath.core.gold cimport Gold
from gardenpath.core.margins cimport ArcMargins

cdef struct Choice:        # a transition with its label
    int move
    int label              # NONE where the transition has none
    int index              # the class
    double score
    float head_margin      # over the other valid transitions; set only if the search keeps margins
    float label_margin     # over the other labels of the transition

cdef struct RejectedArc:   # the arc of a valid transition that was not taken
    int head               # NONE if there is none
    int label
    double margin          # its score minus the score of the transition that was taken

cdef struct ArcOffer:      # the arc of a valid transition, before it is known which transition is taken
    int move
    int head
    int dependent
    int label              # the best one
    double score

cdef enum:
    OFFERS = 2             # maximum number of offers: left-arc and right-arc

cdef struct Hypothesis:
    Configuration c
    int sentence           # its number in the batch
    const Gold* given      # the arcs that the parse must contain, NULL if there are none
    int slot               # the number of its state in the scorer's session
    int* moves             # the valid transitions
    int move_count
    int move_capacity
    long made              # transitions so far
    long most              # the maximum number of transitions
    bint is_finished
    bint is_forced         # whether the next transition needs no choice
    Choice forced          # the transition to make if is_forced
    int front_label        # the best label of a right-arc to the front of the buffer; NONE if it is not needed
    ArcOffer offers[OFFERS]
    int offer_count
    RejectedArc* rejected  # by word: its best rejected arc, where the single-root policy needs it
    int rejected_capacity
    ArcMargins* margins    # by word, if the search keeps them
    int margin_capacity
    double score           # the sum over the scored transitions
    int length             # the number of scored transitions
    int link               # the index of its last transition in the links of the beam, NONE at the start
    bint is_right          # for training: whether the oracle accepts all its transitions


cdef int make_room(Hypothesis* h, int n, int moves, bint keeps_rejected, bint keeps_margins) except -1 nogil
cdef int copy_hypothesis(Hypothesis* target, const Hypothesis* source) except -1 nogil
cdef void release_hypothesis(Hypothesis* h) noexcept nogil
