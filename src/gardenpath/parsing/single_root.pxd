"""The single-root policy."""

from gardenpath.core.configuration cimport Configuration
from gardenpath.core.gold cimport Gold
from gardenpath.core.margins cimport ArcMargins
from gardenpath.parsing.hypothesis cimport RejectedArc


cdef inline void keep_if_best(RejectedArc* best, int head, int label, double margin) noexcept nogil:
    """Replace the best rejected arc of a word by this one if its margin is higher."""
    if best.head == -1 or margin > best.margin:
        best.head = head
        best.label = label
        best.margin = margin


cdef void make_single_root(
    Configuration* c, const RejectedArc* rejected, ArcMargins* margins, const Gold* given, const int* usual_labels
) noexcept nogil
