"""The memory of a gold tree, and what is computed from it once."""

from libc.stdlib cimport free, malloc

from gardenpath.core.configuration cimport ROOT


cdef int fill_gold(Gold* gold, const int* heads, const int* labels, int n) except -1 nogil:
    """Copy the tree. `heads[0]` and `labels[0]` belong to word 1; `labels` may be NULL. NONE stands for the root."""
    cdef size_t size = n + 2
    cdef int word, child, total = 0
    if gold.heads == NULL or n > gold.capacity:
        release_gold(gold)
        gold.heads = <int*>malloc(8 * size * sizeof(int))
        if gold.heads == NULL:
            with gil:
                raise MemoryError(f"no memory for a tree of {n} words")
        gold.capacity = n
        gold.labels = gold.heads + size
        gold.children = gold.labels + size
        gold.first_child = gold.children + size
        gold.ranks = gold.first_child + size
        gold.components = gold.ranks + size
        gold.scratch = gold.components + size
    gold.n = n
    gold.heads[0] = gold.labels[0] = NONE
    for word in range(n + 2):
        gold.first_child[word] = 0
    for word in range(1, n + 1):
        gold.heads[word] = max(heads[word - 1], ROOT)
        gold.labels[word] = labels[word - 1] if labels != NULL else NONE
        gold.first_child[gold.heads[word] + 1] += 1
    for word in range(n + 1):
        total += gold.first_child[word + 1]
        gold.first_child[word + 1] = total
    # Each start moves to the next entry, which then grows to the end of the list while the list is filled.
    for word in range(n, -1, -1):
        gold.first_child[word + 1] = gold.first_child[word]
    for child in range(1, n + 1):
        word = gold.heads[child]
        gold.children[gold.first_child[word + 1]] = child
        gold.first_child[word + 1] += 1
    _find_ranks(gold)
    _find_components(gold)
    return 0


cdef int fill_given(Gold* gold, const int* heads, const int* labels, int n) except -1 nogil:
    """Copy the arcs of a tree that is only partly known. The head of the other words is NONE.

    Ranks and components are those of the tree in which these words depend on the root.
    """
    cdef int word
    fill_gold(gold, heads, labels, n)
    # The dependents of the root come first in the list. Those that are given move to the end of their part of it.
    cdef int place = gold.first_child[ROOT + 1]
    for word in range(n, 0, -1):
        if heads[word - 1] == ROOT:
            place -= 1
            gold.children[place] = word
        elif heads[word - 1] == NONE:
            gold.heads[word] = NONE
    gold.first_child[ROOT] = place
    return 0


cdef void _find_ranks(Gold* gold) noexcept nogil:
    """Rank the words in projective order: left dependents, the word, right dependents.

    Words on a cycle, which no tree has, are not reached; their ranks mean nothing.
    """
    cdef int* order = gold.components        # scratch: the words, heads before dependents
    cdef int i, k, word, child, rank, count = 1
    for word in range(gold.n + 1):
        gold.ranks[word] = 1
    order[0] = 0
    for i in range(gold.n + 1):
        if i == count:
            break
        for k in range(gold.first_child[order[i]], gold.first_child[order[i] + 1]):
            order[count] = gold.children[k]
            count += 1
    # An entry holds first the size of the subtree, then the rank at which the subtree begins, then the word's own rank.
    for i in range(count - 1, 0, -1):
        gold.ranks[gold.heads[order[i]]] += gold.ranks[order[i]]
    gold.ranks[0] = 0
    for i in range(count):
        word = order[i]
        rank = gold.ranks[word]
        for k in range(gold.first_child[word], gold.first_child[word + 1]):
            child = gold.children[k]
            if child > word and (k == gold.first_child[word] or gold.children[k - 1] < word):
                gold.ranks[word] = rank
                rank += 1
            gold.ranks[child], rank = rank, rank + gold.ranks[child]
        if gold.first_child[word] == gold.first_child[word + 1] or gold.children[gold.first_child[word + 1] - 1] < word:
            gold.ranks[word] = rank


cdef void _find_components(Gold* gold) noexcept nogil:
    """Find the largest projective parts of the tree bottom-up, and name the part of each word by its topmost word."""
    cdef int* stack = gold.scratch
    cdef int* missing = gold.scratch + gold.n + 2      # by word: the number of its dependents that are not attached yet
    cdef int word, child, top, above, below, size = 1
    for word in range(gold.n + 1):
        gold.components[word] = word
        missing[word] = gold.first_child[word + 1] - gold.first_child[word]
    stack[0] = 0
    for word in range(1, gold.n + 1):
        stack[size] = word
        size += 1
        while size >= 2:
            if gold.heads[stack[size - 2]] == stack[size - 1] and not missing[stack[size - 2]]:
                child = stack[size - 2]
                stack[size - 2] = stack[size - 1]
            elif gold.heads[stack[size - 1]] == stack[size - 2] and not missing[stack[size - 1]]:
                child = stack[size - 1]
            else:
                break
            size -= 1
            gold.components[child] = gold.heads[child]
            missing[gold.heads[child]] -= 1
    for word in range(gold.n + 1):
        top = word
        while gold.components[top] != top:
            top = gold.components[top]
        below = word
        while gold.components[below] != top:
            above = gold.components[below]
            gold.components[below] = top
            below = above


cdef void release_gold(Gold* gold) noexcept nogil:
    free(gold.heads)
    gold.heads = NULL
