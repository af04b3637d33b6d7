"""The classes that a learner scores, made from the labels seen in training: no other label is ever given."""

from array import array
from collections import Counter

from gardenpath.core.configuration cimport B, Configuration, NONE, ROOT, S, is_free
from gardenpath.core.moves cimport ATTACH, GROUPS, LEFT_ARC, LEFT_ROOT, MOVES, REDUCE, RIGHT_ARC, UNSHIFT

from gardenpath.core.moves import NAMES


cdef class Classes:
    """Groups of classes, one a move, with one class for each label that the training trees have on arcs of that kind.

    `inventories` maps `left`, `right` and `root` to the labels of arcs to the left, to the right and from the root, the most frequent root label first.
    """

    def __init__(self, dict inventories, bint shared_unshift=True, bint labelled_reduce=False):
        self.inventories = inventories
        self.shared_unshift = shared_unshift
        self.labelled_reduce = labelled_reduce
        self.labels = sorted({label for labels in inventories.values() for label in labels})
        # Every arc must be possible: a treebank without arcs to one side lends that side its other labels.
        left = inventories["left"] or inventories["right"] or inventories["root"]
        right = inventories["right"] or inventories["left"] or inventories["root"]
        labels_of = {
            LEFT_ARC: sorted(left), RIGHT_ARC: sorted(right), LEFT_ROOT: sorted(inventories["root"]), ATTACH: sorted(right) if labelled_reduce else [],
        }
        ids = {label: i for i, label in enumerate(self.labels)}
        cdef int group
        classes = []
        for group in range(GROUPS):
            self.first[group] = len(classes)
            if group in labels_of:
                classes += [ids[label] for label in labels_of[group]]
            elif not (group == UNSHIFT and shared_unshift):
                classes.append(NONE)
            self.end[group] = len(classes)
        self.size = len(classes)
        self.class_labels = array("i", classes)
        self.label_of = &self.class_labels[0]
        self.root_label = ids[inventories["root"][0]]

    @staticmethod
    def of_trees(trees, **options):
        """The classes of these trees: pairs of heads and labels, `heads[0]` being word 1's."""
        seen = {"left": Counter(), "right": Counter(), "root": Counter()}
        for heads, labels in trees:
            for word, (head, label) in enumerate(zip(heads, labels), 1):
                seen["root" if head == 0 else "left" if word < head else "right"][label] += 1
        inventories = {kind: sorted(counts, key=lambda label: (-counts[label], label)) for kind, counts in seen.items()}
        return Classes(inventories, **options)

    cdef int group(self, const Configuration* c, int move) noexcept nogil:
        """The group that a permitted move is scored in here."""
        if move == LEFT_ARC and B(c, 0) == ROOT:
            return LEFT_ROOT
        if move == UNSHIFT and self.shared_unshift:
            return REDUCE
        if move == REDUCE and self.labelled_reduce and is_free(c, S(c, 0)):
            return ATTACH
        return move

    cdef int find(self, int group, int label) noexcept nogil:
        """The class of that label in the group, NONE if there is none."""
        cdef int i
        for i in range(self.first[group], self.end[group]):
            if self.label_of[i] == label:
                return i
        return NONE

    def name(self, int index):
        """How a class prints: `LEFT-ARC(nsubj)`."""
        cdef int group = 0
        while index >= self.end[group]:
            group += 1
        name = NAMES[group] if group < MOVES else {LEFT_ROOT: "left-arc", ATTACH: "reduce"}[group]
        if name == "reduce" and self.shared_unshift and group == REDUCE:
            name = "reduce/unshift"
        return name.upper() + (f"({self.labels[self.label_of[index]]})" if self.label_of[index] != NONE else "")
