"""The classes that a learner scores: transitions with their labels, in one group for each kind of transition."""

from gardenpath.core.configuration cimport Configuration
from gardenpath.core.moves cimport GROUPS
from gardenpath.systems.base cimport Configuration as PythonConfiguration, TransitionSystem


cdef class Classes:
    cdef readonly list labels                # the labels by id, sorted
    cdef readonly int size
    cdef readonly bint shared_unshift        # whether Reduce and Unshift are one class
    cdef readonly bint labelled_reduce       # whether a Reduce that builds an arc chooses its label
    cdef readonly int root_label             # the label of the root word in a system without a root token
    cdef readonly dict inventories
    cdef TransitionSystem system
    cdef int first[GROUPS]                   # by group: its first class
    cdef int end[GROUPS]                     # by group: the class after its last one
    cdef int[::1] class_labels
    cdef const int* label_of                 # by class; NONE if the transition has no label

    cdef PythonConfiguration snapshot(self, const Configuration* c)
    cdef int group(self, const Configuration* c, int move) noexcept nogil
