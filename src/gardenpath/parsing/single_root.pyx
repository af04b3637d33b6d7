"""The single-root policy: if a parse has several root words, keep one as root and attach the others.

The policy is not part of any transition system. It applies to the systems whose parses may have several roots.
"""

from gardenpath.core.configuration cimport NONE, ROOT, add_arc, is_ancestor


cdef void make_single_root(
    Configuration* c, const RejectedArc* rejected, ArcMargins* margins, const Gold* given, const int* usual_labels
) noexcept nogil:
    """Change a parse so that it has one root word.

    If `rejected` has the best rejected arc of each word, keep as root the word whose best rejected arc scored lowest.
    Each other root word gets its best rejected arc. If that arc would close a cycle, the word gets an arc from the root
    instead. If there are several root words, each of them has a rejected arc: from its first pair, or from the pair
    that removed its head.

    If `rejected` is NULL, keep the first root word. The others become its dependents. Each gets the best label of a
    right-arc to it at the time it was pushed.

    If arcs are given (`given` is not NULL), keep the given root word, if there is one. Then a word may have no rejected
    arc or no label of a right-arc; it gets an arc from the root word with a label of `usual_labels`.

    Unless `margins` is NULL, words that get another head get the margin 0.
    """
    cdef int word, head, label, root = _find_root(c, rejected, given)
    for word in range(1, c.n + 1):
        if c.heads[word] != ROOT or word == root:
            continue
        if margins != NULL:
            margins[word].head = margins[word].label = 0
        head, label = root, c.shift_labels[word]
        if rejected != NULL:
            label = rejected[word].label if rejected[word].head != NONE else NONE
            if rejected[word].head != NONE and not is_ancestor(c.heads, word, rejected[word].head):
                head = rejected[word].head
        add_arc(c, head, word, label if label != NONE else usual_labels[word > head])


cdef int _find_root(const Configuration* c, const RejectedArc* rejected, const Gold* given) noexcept nogil:
    """Return the root word to keep."""
    cdef int word, root = NONE
    for word in range(1, c.n + 1):
        if c.heads[word] != ROOT:
            continue
        if given != NULL and given.heads[word] == ROOT:
            return word
        if root == NONE or (rejected != NULL and _is_weaker(&rejected[word], &rejected[root])):
            root = word
    return root


cdef inline bint _is_weaker(const RejectedArc* arc, const RejectedArc* other) noexcept nogil:
    """Return whether an arc scored lower than another one, or is none."""
    return other.head != NONE and (arc.head == NONE or arc.margin < other.margin)
