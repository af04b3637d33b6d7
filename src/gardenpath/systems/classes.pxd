"""The classes that a learner scores: moves with their labels, each group of them side by side."""

from gardenpath.core.configuration cimport Configuration
from gardenpath.core.moves cimport GROUPS
from gardenpath.systems.base cimport TransitionSystem


cdef class Classes:
    cdef readonly list labels                # the labels by id, sorted
    cdef readonly int size
    cdef readonly bint shared_unshift        # Reduce and Unshift are one class
    cdef readonly bint labelled_reduce       # a Reduce that attaches its word chooses the label itself
    cdef readonly int root_label             # what the last word of a system without root token is called
    cdef readonly dict inventories
    cdef TransitionSystem system
    cdef int first[GROUPS]                   # where a group begins
    cdef int end[GROUPS]
    cdef int[::1] class_labels
    cdef const int* label_of                 # by class; NONE where the move has no label

    cdef int group(self, const Configuration* c, int move) noexcept nogil
