"""The single-root policy: if a parse has several root words, keep one as root and attach the others.

The policy is not part of any transition system. It applies to the systems whose parses may have several roots.
"""

from gardenpath.core.configuration cimport NONE, ROOT, add_arc, is_ancestor


cdef void make_single_root(Configuration* c, const RejectedArc* rejected, ArcMargins* margins) noexcept nogil:
    """Change a parse so that it has one root word.

    If `rejected` has the best rejected arc of each word, keep as root the word whose best rejected arc scored lowest.
    Each other root word gets its best rejected arc. If that arc would close a cycle, the word gets an arc from the root
    instead. If there are several root words, each of them has a rejected arc: from its first pair, or from the pair
    that removed its head.

    If `rejected` is NULL, keep the first root word. The others become its dependents. Each gets the best label of a
    right-arc to it at the time it was pushed.

    Unless `margins` is NULL, words that get another head get the margin 0.
    """
    cdef int word, root = NONE
    for word in range(1, c.n + 1):
        if c.heads[word] != ROOT:
            continue
        if root == NONE or (rejected != NULL and rejected[word].margin < rejected[root].margin):
            root = word
    for word in range(1, c.n + 1):
        if c.heads[word] != ROOT or word == root:
            continue
        if margins != NULL:
            margins[word].head = margins[word].label = 0
        if rejected == NULL:
            add_arc(c, root, word, c.shift_labels[word])
        elif is_ancestor(c.heads, word, rejected[word].head):
            add_arc(c, root, word, rejected[word].label)
        else:
            add_arc(c, rejected[word].head, word, rejected[word].label)
