"""The gold tree of a sentence, and functions that say where gold heads and dependents are in a configuration."""

from gardenpath.core.configuration cimport Configuration, IN_BUFFER, NONE, ON_STACK, is_free

cdef struct Gold:
    int n
    int* heads         # by word, 0..n; NONE for word 0
    int* labels        # by word; NONE if the label is unknown
    int* children      # the gold dependents of all words, head by head
    int* first_child   # by word: the index of its first dependent in `children`; one entry more than words
    int* ranks         # by word: its rank in projective order (for Swap): left dependents, the word, right dependents
    int* components    # by word: the topmost word of the largest projective part around it (for Swap)
    int* scratch
    int capacity


cdef int fill_gold(Gold* gold, const int* heads, const int* labels, int n) except -1 nogil
cdef int fill_given(Gold* gold, const int* heads, const int* labels, int n) except -1 nogil
cdef void release_gold(Gold* gold) noexcept nogil


cdef inline bint head_in_buffer(const Configuration* c, const Gold* gold, int word) noexcept nogil:
    cdef int head = gold.heads[word]
    return head != NONE and c.places[head] == IN_BUFFER


cdef inline bint head_on_stack(const Configuration* c, const Gold* gold, int word) noexcept nogil:
    cdef int head = gold.heads[word]
    return head != NONE and c.places[head] == ON_STACK


cdef inline int children_in_buffer(const Configuration* c, const Gold* gold, int word) noexcept nogil:
    cdef int i, total = 0
    for i in range(gold.first_child[word], gold.first_child[word + 1]):
        total += c.places[gold.children[i]] == IN_BUFFER
    return total


cdef inline int children_on_stack(const Configuration* c, const Gold* gold, int word) noexcept nogil:
    cdef int i, total = 0
    for i in range(gold.first_child[word], gold.first_child[word + 1]):
        total += c.places[gold.children[i]] == ON_STACK
    return total


cdef inline int free_children_on_stack(const Configuration* c, const Gold* gold, int word) noexcept nogil:
    cdef int i, child, total = 0
    for i in range(gold.first_child[word], gold.first_child[word + 1]):
        child = gold.children[i]
        total += c.places[child] == ON_STACK and is_free(c, child)
    return total


cdef inline bint has_all_children(const Configuration* c, const Gold* gold, int word) noexcept nogil:
    """Return whether all gold dependents of the word are attached to it."""
    cdef int i
    for i in range(gold.first_child[word], gold.first_child[word + 1]):
        if c.heads[gold.children[i]] != word:
            return False
    return True
