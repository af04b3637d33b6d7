"""Memory and arcs of a configuration. The functions that read it are inline in the .pxd."""

from libc.stdint cimport int8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from gardenpath.core.hashing cimport mix


cdef int reserve(Configuration* c, int n) except -1 nogil:
    """Make room for n words. The memory is kept from sentence to sentence and only grows."""
    if c.stack != NULL and n <= c.capacity:
        return 0
    release(c)
    cdef size_t size = <size_t>max(2 * c.capacity, n, 64) + 2
    cdef char* block = <char*>malloc(size * (9 * sizeof(int) + 2 * sizeof(Children) + sizeof(int8_t)))
    if block == NULL:
        with gil:
            raise MemoryError(f"no memory for a sentence of {n} words")
    c.capacity = <int>size - 2
    c.left = <Children*>block
    c.right = c.left + size
    c.stack = <int*>(c.right + size)
    c.queue = c.stack + size
    c.returned = c.queue + size
    c.heads = c.returned + size
    c.labels = c.heads + size
    c.places = c.labels + size
    c.siblings = c.places + size
    c.shift_labels = c.siblings + size
    c.touched = c.shift_labels + size
    c.marks = <int8_t*>(c.touched + size)
    return 0


cdef void release(Configuration* c) noexcept nogil:
    free(c.left)
    c.left = NULL
    c.stack = NULL


cdef void clear(Configuration* c, int n) noexcept nogil:
    """Clear the stack, the buffer and the arcs. Call `reserve` first."""
    cdef int i
    c.n = n
    c.root_position = 0
    c.root_label = NONE
    c.stack_size = c.queue_size = c.cursor = c.returned_size = 0
    c.flag = False
    c.changes = 0
    for i in range(n + 1):
        c.heads[i] = c.labels[i] = c.siblings[i] = c.shift_labels[i] = NONE
        c.places[i] = GONE
        c.touched[i] = 0
        c.left[i].first = c.right[i].first = NONE
        c.left[i].count = c.right[i].count = 0
        c.left[i].labels = c.right[i].labels = 0
    memset(c.marks, 0, n + 1)


cdef int copy_into(Configuration* target, const Configuration* source) except -1 nogil:
    cdef size_t words = (source.n + 2) * sizeof(int)
    reserve(target, source.n)
    memcpy(target.stack, source.stack, words)
    memcpy(target.queue, source.queue, words)
    memcpy(target.returned, source.returned, words)
    memcpy(target.heads, source.heads, words)
    memcpy(target.labels, source.labels, words)
    memcpy(target.places, source.places, words)
    memcpy(target.siblings, source.siblings, words)
    memcpy(target.shift_labels, source.shift_labels, words)
    memcpy(target.touched, source.touched, words)
    memcpy(target.left, source.left, (source.n + 1) * sizeof(Children))
    memcpy(target.right, source.right, (source.n + 1) * sizeof(Children))
    memcpy(target.marks, source.marks, source.n + 1)
    target.n = source.n
    target.root_position = source.root_position
    target.root_label = source.root_label
    target.stack_size = source.stack_size
    target.queue_size = source.queue_size
    target.cursor = source.cursor
    target.returned_size = source.returned_size
    target.flag = source.flag
    target.changes = source.changes
    return 0


cdef Children* _side(Configuration* c, int head, int child) noexcept nogil:
    return c.left + head if position(c, child) < position(c, head) else c.right + head


cdef bint _carries(const Configuration* c, const Children* side, int label) noexcept nogil:
    cdef int child = side.first
    while child != NONE:
        if c.labels[child] == label:
            return True
        child = c.siblings[child]
    return False


cdef inline void _touch(Configuration* c, int head, int child) noexcept nogil:
    c.changes += 1
    c.touched[head] = c.touched[child] = c.changes


cdef void add_arc(Configuration* c, int head, int child, int label) noexcept nogil:
    """Attach a word to a head, in place of any head it has."""
    if c.heads[child] != NONE:
        remove_arc(c, child)
    cdef Children* side = _side(c, head, child)
    if not _carries(c, side, label):
        side.labels ^= mix(<uint64_t>label + 1)
    side.count += 1
    _touch(c, head, child)
    c.heads[child] = head
    c.labels[child] = label
    # The farthest dependent comes first: skip the siblings that are farther away.
    cdef int* link = &side.first
    cdef bint to_the_left = position(c, child) < position(c, head)
    while link[0] != NONE and (link[0] < child) == to_the_left:
        link = &c.siblings[link[0]]
    c.siblings[child] = link[0]
    link[0] = child


cdef void remove_arc(Configuration* c, int child) noexcept nogil:
    """Detach a word from its head, and correct the head's valency and label set."""
    cdef Children* side = _side(c, c.heads[child], child)
    cdef int* link = &side.first
    cdef int label = c.labels[child]
    while link[0] != child:
        link = &c.siblings[link[0]]
    link[0] = c.siblings[child]
    side.count -= 1
    _touch(c, c.heads[child], child)
    c.heads[child] = NONE
    c.labels[child] = NONE
    c.siblings[child] = NONE
    if not _carries(c, side, label):
        side.labels ^= mix(<uint64_t>label + 1)


cdef void fill_buffer(Configuration* c) noexcept nogil:
    """Put the root token and all words into the buffer, in order."""
    cdef int word
    for word in range(c.n + 1):
        c.queue[word] = word
        c.places[word] = IN_BUFFER
    c.queue_size = c.n + 1
