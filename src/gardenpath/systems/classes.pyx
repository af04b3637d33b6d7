"""The classes that a learner scores, made from the labels in the training trees."""

from array import array
from collections import Counter

from gardenpath.core.configuration cimport Configuration, NONE, ROOT, S, copy_into, is_free
from gardenpath.core.moves cimport (
    ATTACH, CUSTOM, LEFT_ARC, LEFT_ARC_2, REDUCE, RIGHT_ARC, RIGHT_ARC_2, RIGHT_ROOT, ROOT_ARC, STAY_LEFT, STAY_RIGHT,
    UNSHIFT, kind_of,
)


cdef class Classes:
    """Groups of classes, one for each kind of transition, with a class for each label of its arcs in training.

    `inventories` maps `left`, `right` and `root` to the labels of arcs to the left, to the right and from the root, the
    most frequent first. Classes are numbered in the order of the system's transitions, so that models do not depend on
    other systems.
    """

    def __init__(self, TransitionSystem system, dict inventories, bint shared_unshift=True, bint labelled_reduce=False):
        self.system = system
        self.inventories = inventories
        self.shared_unshift = shared_unshift
        self.labelled_reduce = labelled_reduce
        self.labels = sorted({label for labels in inventories.values() for label in labels})
        # Every arc must be possible: if a treebank has no arcs to one side, that side gets the other labels.
        left = inventories["left"] or inventories["right"] or inventories["root"]
        right = inventories["right"] or inventories["left"] or inventories["root"]
        if system.reorders:
            left = right = sorted({*left, *right})
        labels_of = {
            LEFT_ARC: left, LEFT_ARC_2: left, STAY_LEFT: left, RIGHT_ARC: right, RIGHT_ARC_2: right, STAY_RIGHT: right,
            RIGHT_ROOT: inventories["root"][:1],
        }
        ids = {label: i for i, label in enumerate(self.labels)}
        moves = [self.system.available[i] for i in range(self.system.available_count)]
        labels_of = {move: labels_of.get(move, {*left, *right}) for move in moves if self.system.takes_label(move)}
        labels_of |= {ROOT_ARC: inventories["root"], ATTACH: right}
        classes = []
        for group in (*moves, ROOT_ARC, *((ATTACH,) if labelled_reduce else ())):
            self.first[group] = len(classes)
            if group in labels_of:
                classes += [ids[label] for label in sorted(labels_of[group])]
            elif not (group == UNSHIFT and shared_unshift):
                classes.append(NONE)
            self.end[group] = len(classes)
        self.size = len(classes)
        self.class_labels = array("i", classes)
        self.label_of = &self.class_labels[0]
        self.root_label = ids[inventories["root"][0]]

    @staticmethod
    def of_trees(system, trees, **options):
        """Return the classes of these trees: pairs of heads and labels, where `heads[0]` is the head of word 1."""
        seen = {"left": Counter(), "right": Counter(), "root": Counter()}
        for heads, labels in trees:
            for word, (head, label) in enumerate(zip(heads, labels), 1):
                seen["root" if head == 0 else "left" if word < head else "right"][label] += 1
        inventories = {kind: sorted(counts, key=lambda label: (-counts[label], label)) for kind, counts in seen.items()}
        return Classes(system, inventories, **options)

    cdef PythonConfiguration snapshot(self, const Configuration* c):
        """Return a copy of a configuration for Python, with the names of the labels."""
        cdef PythonConfiguration copy = PythonConfiguration(c.n)
        copy_into(&copy.c, c)
        copy.system = self.system.name
        copy.single_root = self.system.single_root
        copy.label_names = list(self.labels)
        return copy

    cdef int group(self, const Configuration* c, int move) noexcept nogil:
        """Return the group in which a valid transition is scored."""
        cdef int kind = kind_of(move)
        if kind in (LEFT_ARC, RIGHT_ARC, RIGHT_ARC_2, STAY_RIGHT) or kind >= CUSTOM:
            return ROOT_ARC if self.system.arc_head(c, move) == ROOT else kind
        if kind == UNSHIFT and self.shared_unshift:
            return REDUCE
        if kind == REDUCE and self.labelled_reduce and is_free(c, S(c, 0)):
            return ATTACH
        return kind
