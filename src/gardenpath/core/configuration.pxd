"""The parser's state: stack, buffer and arcs. Beyond an end of the stack or the buffer the functions return NONE.

Word 0 is the root, words 1..n are the words of the sentence. The buffer consists of a stack of words that came back to
it (Unshift, Swap), followed by a fixed queue with a cursor. So read the buffer only through the functions below. The
dependents of a head form two linked lists, the farthest first, so that an arc can be removed together with its valency
and its label.
"""

from libc.stdint cimport int8_t, uint64_t

cdef enum:
    NONE = -1
    ROOT = 0

cdef enum Place:
    IN_BUFFER
    ON_STACK
    GONE

cdef struct Children:
    int first          # the farthest dependent on this side, NONE if there is none
    int count
    uint64_t labels    # a signature of the set of their labels

cdef struct Configuration:
    int n
    int root_position  # the position of the root in word order: 0 (first) or n + 1 (last)
    int root_label     # the label of the root word in systems without a root token
    int* stack
    int stack_size
    int* queue         # the initial buffer
    int queue_size
    int cursor
    int* returned      # words that came back to the buffer, the front last
    int returned_size
    int* heads         # by word, 0..n
    int* labels
    int* places        # by word: Place
    int* siblings      # by word: the next nearer dependent of the same head on the same side
    int* shift_labels  # by word: the label that a right-arc would have given when the word was shifted
    Children* left
    Children* right
    int8_t* marks      # by word: a bit for the system (with Unshift: whether the word has been shifted)
    bint flag          # a bit for the system (tree-constrained: whether the buffer has been empty)
    int changes        # the number of times that an arc was added or removed
    int* touched       # by word: the number of the last change that added or removed an arc to or from it
    int capacity


cdef int reserve(Configuration* c, int n) except -1 nogil
cdef void release(Configuration* c) noexcept nogil
cdef void clear(Configuration* c, int n) noexcept nogil
cdef int copy_into(Configuration* target, const Configuration* source) except -1 nogil
cdef void add_arc(Configuration* c, int head, int child, int label) noexcept nogil
cdef void remove_arc(Configuration* c, int child) noexcept nogil
cdef void fill_buffer(Configuration* c) noexcept nogil


cdef inline int S(const Configuration* c, int i) noexcept nogil:
    return c.stack[c.stack_size - 1 - i] if i < c.stack_size else NONE


cdef inline int B(const Configuration* c, int i) noexcept nogil:
    if i < c.returned_size:
        return c.returned[c.returned_size - 1 - i]
    i += c.cursor - c.returned_size
    return c.queue[i] if i < c.queue_size else NONE


cdef inline int buffer_size(const Configuration* c) noexcept nogil:
    return c.returned_size + c.queue_size - c.cursor


cdef inline int head(const Configuration* c, int word) noexcept nogil:
    return c.heads[word] if word >= 0 else NONE


cdef inline bint is_free(const Configuration* c, int word) noexcept nogil:
    return c.heads[word] == NONE


cdef inline bint is_ancestor(const int* heads, int word, int of) noexcept nogil:
    """Return whether a word is an ancestor of another, or the same word."""
    while of > 0 and of != word:
        of = heads[of]
    return of == word


cdef inline int position(const Configuration* c, int word) noexcept nogil:
    return c.root_position if word == ROOT else word


cdef inline int left_child(const Configuration* c, int word) noexcept nogil:
    return c.left[word].first if word >= 0 else NONE


cdef inline int right_child(const Configuration* c, int word) noexcept nogil:
    return c.right[word].first if word >= 0 else NONE


cdef inline int sibling(const Configuration* c, int child) noexcept nogil:
    return c.siblings[child] if child >= 0 else NONE


cdef inline void push(Configuration* c) noexcept nogil:
    """Move the front of the buffer to the stack."""
    cdef int word = B(c, 0)
    if c.returned_size > 0:
        c.returned_size -= 1
    else:
        c.cursor += 1
    c.stack[c.stack_size] = word
    c.stack_size += 1
    c.places[word] = ON_STACK


cdef inline void pop(Configuration* c) noexcept nogil:
    c.stack_size -= 1
    c.places[c.stack[c.stack_size]] = GONE


cdef inline void take_out(Configuration* c, int i) noexcept nogil:
    """Remove S(i) from the stack; the words above it stay."""
    cdef int place = c.stack_size - 1 - i
    c.places[c.stack[place]] = GONE
    c.stack_size -= 1
    for place in range(place, c.stack_size):
        c.stack[place] = c.stack[place + 1]


cdef inline void put_back(Configuration* c) noexcept nogil:
    """Move the top of the stack to the front of the buffer."""
    c.stack_size -= 1
    c.returned[c.returned_size] = c.stack[c.stack_size]
    c.places[c.stack[c.stack_size]] = IN_BUFFER
    c.returned_size += 1


cdef inline void put_back_second(Configuration* c) noexcept nogil:
    """Move the word below the top of the stack to the front of the buffer."""
    cdef int top = S(c, 0)
    c.stack_size -= 1
    put_back(c)
    c.stack[c.stack_size] = top
    c.stack_size += 1


cdef inline void put_behind(Configuration* c) noexcept nogil:
    """Move the top of the stack into the buffer, behind its front."""
    push(c)
    put_back_second(c)
    put_back(c)
