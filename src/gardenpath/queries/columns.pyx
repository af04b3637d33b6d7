# cython: boundscheck=False, wraparound=False
"""Sentences as columns of integers.

The nodes of all sentences follow each other; the first node of each sentence is the anchor, the head of its root.
"""

from array import array

from libc.stdint cimport int32_t, uint8_t
from libcpp.vector cimport vector

cdef enum:
    PROJECTIVE = 1
    CYCLIC = 2
    TREE = 4


def numbers(list sentences, str name, Py_ssize_t size, dict ids, list values, anchor):
    """Return the numbers of the values of a column of words; new values are added to `ids` and `values`.

    `size` is the number of nodes, `anchor` the number of the value at the anchors.
    """
    cdef object result = array("i", bytes(4 * size))
    cdef int32_t[::1] column = result
    cdef Py_ssize_t at = 0
    cdef int32_t first = anchor
    cdef object sentence, word, value, number
    attribute = "raw_feats" if name == "feats" else name
    for sentence in sentences:
        column[at] = first
        at += 1
        for word in sentence._words:
            value = getattr(word, attribute)
            if type(value) is not str:
                value = str(value)
            number = ids.get(value)
            if number is None:
                number = _added(value, ids, values)
            column[at] = number
            at += 1
    return result


cdef object _added(object value, dict ids, list values):
    cdef object number = len(values)
    ids[value] = number
    values.append(value)
    return number


def read_trees(list sentences, dict ids, list values):
    """Return the first nodes of the sentences, the heads and the labels; see `Trees`."""
    cdef Py_ssize_t size = len(sentences)
    cdef object sentence, word, given, number
    for sentence in sentences:
        size += len(sentence)
    first_nodes = array("i", bytes(4 * (len(sentences) + 1)))
    found_heads, found_labels = array("i", bytes(4 * size)), array("i", bytes(4 * size))
    cdef int32_t[::1] starts = first_nodes, heads = found_heads, labels = found_labels
    cdef Py_ssize_t at = 0, s = 0, begin
    cdef long head, count
    for sentence in sentences:
        starts[s] = begin = at
        heads[at] = -1
        at += 1
        s += 1
        count = len(sentence)
        for word in sentence._words:
            given = word.head
            head = -1 if given is None or not -1 <= given <= count else given
            heads[at] = -1
            if head >= 0:
                heads[at] = begin + head
                number = ids.get(word.deprel)
                labels[at] = _added(word.deprel, ids, values) if number is None else number
            at += 1
    starts[s] = at
    return first_nodes, found_heads, found_labels


cdef class Trees:
    """The heads, labels and dependents of sentences.

    `starts` has the first node of each sentence and the number of all nodes. A head is -1 if a word has none. The label
    0 means that there is no edge.
    """

    cdef readonly object starts, heads, labels, child_starts, children

    def __init__(self, starts, heads, labels):
        self.starts, self.heads, self.labels = starts, heads, labels
        self.child_starts, self.children = array("i", bytes(4 * (len(heads) + 1))), array("i", bytes(4 * len(heads)))
        self._find_children()

    cdef void _find_children(self):
        """Sort the nodes by their heads."""
        cdef int32_t[::1] heads = self.heads, starts = self.child_starts, children = self.children
        cdef Py_ssize_t i, size = heads.shape[0]
        cdef vector[int32_t] filled
        with nogil:
            for i in range(size):
                if heads[i] >= 0:
                    starts[heads[i] + 1] += 1
            for i in range(size):
                starts[i + 1] += starts[i]
            filled.assign(&starts[0], &starts[0] + size)
            for i in range(size):
                if heads[i] >= 0:
                    children[filled[heads[i]]] = i
                    filled[heads[i]] += 1

    def structures(self):
        """Return the properties of each sentence as bits: projective, cyclic, tree."""
        cdef object result = bytearray(len(self.starts) - 1)
        cdef uint8_t[::1] flags = result
        cdef int32_t[::1] starts = self.starts, heads = self.heads
        cdef int32_t[::1] child_starts = self.child_starts, children = self.children
        cdef Py_ssize_t s
        cdef vector[int32_t] marks, opened
        with nogil:
            marks.assign(heads.shape[0], -1)
            for s in range(flags.shape[0]):
                flags[s] = _acyclic(&heads[0], starts[s], starts[s + 1], marks)
            marks.assign(heads.shape[0], -1)
            for s in range(flags.shape[0]):
                if not _crosses(&heads[0], &child_starts[0], &children[0], starts[s], starts[s + 1], marks, opened):
                    flags[s] |= PROJECTIVE
        return bytes(result)


cdef uint8_t _acyclic(const int32_t* heads, int32_t begin, int32_t end, vector[int32_t]& marks) noexcept nogil:
    """Return CYCLIC, or TREE if every word has a head, or 0. A word is marked with the walk that met it first."""
    cdef int32_t start, node
    cdef uint8_t result = TREE
    for start in range(begin + 1, end):
        if heads[start] < 0:
            result = 0
    for start in range(begin + 1, end):
        node = start
        while node > begin and marks[node] < 0:
            marks[node] = start
            node = heads[node]
        if node > begin and marks[node] == start:
            return CYCLIC
    return result


cdef bint _crosses(
    const int32_t* heads, const int32_t* child_starts, const int32_t* children, int32_t begin, int32_t end,
    vector[int32_t]& following, vector[int32_t]& opened,
) noexcept nogil:
    """Return whether two edges cross.

    Edges are opened at their left ends, the longest first, and closed at their right ends. If none cross, the edges
    that end at a node are the ones that were opened last. `following` links the dependents of right ends and the right
    ends themselves: the edges that begin at a node are a list, in which an edge is known by its dependent.
    """
    cdef int32_t node, i, edge, ending
    cdef vector[int32_t] first
    first.assign(end - begin, -1)
    for node in range(begin, end):                     # by right ends, so that the longest edge is first in its list
        if begin <= heads[node] < node:
            following[node] = first[heads[node] - begin]
            first[heads[node] - begin] = node
        for i in range(child_starts[node], child_starts[node + 1]):
            if children[i] < node:
                following[children[i]] = first[children[i] - begin]
                first[children[i] - begin] = children[i]
    opened.clear()
    for node in range(begin, end):
        ending = begin <= heads[node] < node
        for i in range(child_starts[node], child_starts[node + 1]):
            ending += children[i] < node
        while ending and opened.size() and opened.back() == node:
            opened.pop_back()
            ending -= 1
        if ending:
            return True
        edge = first[node - begin]
        while edge >= 0:
            opened.push_back(max(edge, heads[edge]))
            edge = following[edge]
    return False


cdef int _check_sizes(Py_ssize_t mask, Py_ssize_t column) except -1:
    if mask != column:
        raise ValueError("the mask and the column have different lengths")
    return 0


def restrict(uint8_t[::1] mask, const int32_t[::1] column, const uint8_t[::1] table):
    """Keep the nodes of a mask whose value satisfies a condition. `table` has the result for each value."""
    cdef Py_ssize_t i
    _check_sizes(mask.shape[0], column.shape[0])
    with nogil:
        for i in range(mask.shape[0]):
            mask[i] &= table[column[i]]


def restrict_by_two(
    uint8_t[::1] mask, const int32_t[::1] column, const uint8_t[::1] table, const int32_t[::1] second,
    const uint8_t[::1] second_table,
):
    """Do the same for a feature with two sources. The result 2 of the first one means that the second one counts."""
    cdef Py_ssize_t i
    cdef uint8_t result
    _check_sizes(mask.shape[0], column.shape[0])
    _check_sizes(mask.shape[0], second.shape[0])
    with nogil:
        for i in range(mask.shape[0]):
            if mask[i]:
                result = table[column[i]]
                mask[i] = second_table[second[i]] if result == 2 else result


def join(uint8_t[::1] mask, const uint8_t[::1] other):
    """Add the nodes of another mask."""
    cdef Py_ssize_t i
    _check_sizes(mask.shape[0], other.shape[0])
    for i in range(mask.shape[0]):
        mask[i] |= other[i]


def intersect(uint8_t[::1] mask, const uint8_t[::1] other):
    """Keep the nodes that are in another mask, too."""
    cdef Py_ssize_t i
    _check_sizes(mask.shape[0], other.shape[0])
    for i in range(mask.shape[0]):
        mask[i] &= other[i]


def heads_of(const uint8_t[::1] mask, const int32_t[::1] heads):
    """Return the mask of the heads of the nodes in a mask."""
    cdef object result = bytearray(mask.shape[0])
    cdef uint8_t[::1] found = result
    cdef Py_ssize_t i
    _check_sizes(mask.shape[0], heads.shape[0])
    for i in range(mask.shape[0]):
        if mask[i] and heads[i] >= 0:
            found[heads[i]] = 1
    return result
