"""Memory of a gold tree."""

from libc.stdlib cimport free, malloc


cdef int fill_gold(Gold* gold, const int* heads, const int* labels, int n) except -1 nogil:
    """Take over the tree; `heads[0]` and `labels[0]` are those of word 1, `labels` may be NULL."""
    cdef size_t size = n + 2
    cdef int word, child, total = 0
    if gold.heads == NULL or n > gold.capacity:
        release_gold(gold)
        gold.heads = <int*>malloc(4 * size * sizeof(int))
        if gold.heads == NULL:
            with gil:
                raise MemoryError(f"no memory for a tree of {n} words")
        gold.capacity = n
        gold.labels = gold.heads + size
        gold.children = gold.labels + size
        gold.first_child = gold.children + size
    gold.n = n
    gold.heads[0] = gold.labels[0] = NONE
    for word in range(n + 2):
        gold.first_child[word] = 0
    for word in range(1, n + 1):
        gold.heads[word] = heads[word - 1]
        gold.labels[word] = labels[word - 1] if labels != NULL else NONE
        gold.first_child[gold.heads[word] + 1] += 1
    for word in range(n + 1):
        total += gold.first_child[word + 1]
        gold.first_child[word + 1] = total
    # Each start is put one place on and moves up to its list's end as the list is filled; then all stand where they should.
    for word in range(n, -1, -1):
        gold.first_child[word + 1] = gold.first_child[word]
    for child in range(1, n + 1):
        word = gold.heads[child]
        gold.children[gold.first_child[word + 1]] = child
        gold.first_child[word + 1] += 1
    return 0


cdef void release_gold(Gold* gold) noexcept nogil:
    free(gold.heads)
    gold.heads = NULL
