"""The oracles of LR-spine: Sartorio, Satta and Nivre (ACL 2013), Goldberg, Sartorio and Satta (TACL 2014).

The published rule keeps a word of a left spine because of stack elements that are joined already; correct is: because
of those that are not.
"""

from libc.stdint cimport int8_t, uint64_t
from libcpp.algorithm cimport sort, unique
from libcpp.vector cimport vector

from gardenpath.core.configuration cimport (
    B, Configuration, IN_BUFFER, NONE, ROOT, S, buffer_size, left_child, right_child,
)
from gardenpath.core.gold cimport Gold, children_in_buffer, head_in_buffer
from gardenpath.core.moves cimport LEFT_ARC, RIGHT_ARC, SHIFT, with_head
from gardenpath.oracles.table cimport TableOracle, wrong_heads
from gardenpath.systems.lr_spine cimport LRSpine

# A tree that joins some elements. Its spines are sets of numbers, only of words that are gold heads of words in the
# table.
cdef struct JoinedTree:
    int root
    int excess
    size_t sets            # the index of its sets: the left spine, then the right spine


cdef class LRSpineOracle(TableOracle):
    """Exact losses by a table over the roots and spines of trees that join parts of the stack and the right stack."""

    cdef vector[int8_t] on_left        # by word: whether it is on the left spine of an element
    cdef vector[int8_t] on_right       # by word: whether it is on the right spine of an element
    cdef vector[int] heads             # the gold heads of all words that are joined, from left to right
    cdef vector[int] numbers           # by word: its index in `heads`, NONE if it is not there
    cdef int blocks                    # the number of 64-bit blocks in a set of numbers
    cdef vector[uint64_t] sets
    cdef vector[uint64_t] pending_left     # by index in `left`: the numbers of the gold heads of all later words
    cdef vector[uint64_t] pending_right
    cdef vector[vector[JoinedTree]] row    # by index in `right`: the trees of a cell
    cdef vector[vector[JoinedTree]] next_row

    def __init__(self, LRSpine system, *_):
        pass

    cdef int static_move(self, const Configuration* c, const Gold* gold) noexcept nogil:
        """Return the gold arc from a spine if there is one, else Shift."""
        cdef int word
        if c.stack_size < 2:
            return SHIFT
        word = S(c, 0)
        while word != NONE and S(c, 1) != ROOT:
            if gold.heads[S(c, 1)] == word:
                return with_head(LEFT_ARC, word)
            word = left_child(c, word)
        word = S(c, 1)
        while word != NONE and not (self.system.single_root and word == ROOT and buffer_size(c)):
            if gold.heads[S(c, 0)] == word:
                return with_head(RIGHT_ARC, word)
            word = right_child(c, word)
        return SHIFT

    cdef void accept_on_path(
        self, const Configuration* c, const Gold* gold, const int* moves, int count, int8_t* accepted
    ) noexcept nogil:
        """Accept gold arcs, and Shift unless the top has its gold head on the stack and its right spine is complete."""
        cdef int i
        for i in range(count):
            if moves[i] == SHIFT:
                accepted[i] = c.stack_size < 2 or head_in_buffer(c, gold, S(c, 0)) or _awaits(c, gold, S(c, 0))
            else:
                accepted[i] = gold.heads[self.system.arc_child(c, moves[i])] == self.system.arc_head(c, moves[i])

    cdef int lower_bound(self, const Configuration* c, const Gold* gold) noexcept nogil:
        cdef int i, lost = wrong_heads(c, gold)
        if not c.stack_size:
            return 0
        self._mark_spines(c)
        for i in range(c.stack_size):
            lost += c.stack[i] != ROOT and self._is_lost(c, gold, c.stack[i])
        for i in range(buffer_size(c)):
            lost += self._is_lost(c, gold, B(c, i))
        return lost

    cdef void _mark_spines(self, const Configuration* c) noexcept nogil:
        cdef int i, word
        self.on_left.assign(c.n + 1, 0)
        self.on_right.assign(c.n + 1, 0)
        for i in range(c.stack_size):
            word = c.stack[i]
            while word != NONE:
                self.on_left[word] = 1
                word = left_child(c, word)
            word = c.stack[i]
            while word != NONE:
                self.on_right[word] = 1
                word = right_child(c, word)

    cdef bint _is_lost(self, const Configuration* c, const Gold* gold, int word) noexcept nogil:
        """Return whether the gold head of a word without a head is neither in the buffer nor on a reachable spine."""
        cdef int head = gold.heads[word]
        return c.places[head] != IN_BUFFER and not (self.on_right[head] if head < word else self.on_left[head])

    cdef int loss_between(self, const Configuration* c, const Gold* gold, int least, int most) noexcept nogil:
        cdef int bound = self.lower_bound(c, gold)
        if bound > most or c.stack_size < 2:
            return bound
        self.find_stacks(c, gold)
        self._number_heads(c, gold)
        self._find_pending(gold, self.left, self.pending_left)
        self._find_pending(gold, self.right, self.pending_right)
        return bound + self._excess(c, gold, most - bound)

    cdef void _number_heads(self, const Configuration* c, const Gold* gold) noexcept nogil:
        cdef int i
        self.heads.clear()
        for i in range(<int>self.left.size()):
            if self.left[i] != ROOT:
                self.heads.push_back(gold.heads[self.left[i]])
        for i in range(1, <int>self.right.size()):
            self.heads.push_back(gold.heads[self.right[i]])
        sort(self.heads.begin(), self.heads.end())
        self.heads.erase(unique(self.heads.begin(), self.heads.end()), self.heads.end())
        self.numbers.assign(c.n + 1, NONE)
        for i in range(<int>self.heads.size()):
            self.numbers[self.heads[i]] = i
        self.blocks = <int>self.heads.size() // 64 + 1

    cdef void _find_pending(self, const Gold* gold, const vector[int]& words, vector[uint64_t]& pending) noexcept nogil:
        cdef int i, block, size = <int>words.size()
        pending.assign(size * self.blocks, 0)
        for i in range(size - 2, -1, -1):
            for block in range(self.blocks):
                pending[i * self.blocks + block] = pending[(i + 1) * self.blocks + block]
            if words[i + 1] != ROOT:
                _add(&pending[i * self.blocks], self.numbers[gold.heads[words[i + 1]]])

    cdef int _excess(self, const Configuration* c, const Gold* gold, int most) noexcept nogil:
        """Return the number of words besides the lost ones that must get a wrong head, or any number above `most`.

        A cell stands for neighbouring elements of the stack and the right stack around the top, joined into one tree.
        It holds the least excess for the root and the spines of that tree. The next element to the left or to the right
        is joined to it.
        """
        cdef int left = <int>self.left.size(), right = <int>self.right.size(), i, j
        cdef size_t k
        cdef JoinedTree element
        self.sets.clear()
        _empty(self.row, right)
        element = self._element(c, self.left[0])
        self._keep(self.row[0], element, 0, 0)
        for i in range(left):
            _empty(self.next_row, right)
            if i + 1 < left:
                element = self._element(c, self.left[i + 1])
            for j in range(right):
                for k in range(self.row[j].size()):
                    if i + 1 < left:
                        self._join(c, gold, element, self.row[j][k], self.next_row[j], i + 1, j, most)
                for k in range(self.row[j].size() if j + 1 < right else 0):
                    self._join(c, gold, self.row[j][k], self._word(self.right[j + 1]), self.row[j + 1], i, j + 1, most)
            if i + 1 < left:
                self.row.swap(self.next_row)
        return self._best_tree(c, gold, self.row[right - 1], most)

    cdef int _best_tree(
        self, const Configuration* c, const Gold* gold, const vector[JoinedTree]& cell, int most
    ) noexcept nogil:
        """Return the least excess when everything is joined below the root."""
        cdef int wrong, best = most + 1
        cdef size_t k
        for k in range(cell.size()):
            if self.system.single_root:
                wrong = gold.heads[cell[k].root] != ROOT and not self._is_lost(c, gold, cell[k].root)
                best = min(best, cell[k].excess + wrong)
            elif cell[k].root == ROOT:
                best = min(best, cell[k].excess)
        return best

    cdef JoinedTree _word(self, int word) noexcept nogil:
        """Return a tree of one word."""
        cdef JoinedTree tree
        tree.root = word
        tree.excess = 0
        tree.sets = self.sets.size()
        self.sets.resize(tree.sets + 2 * self.blocks)
        return tree

    cdef JoinedTree _element(self, const Configuration* c, int root) noexcept nogil:
        """Return the tree of an element of the stack, with the words of its spines that have a number."""
        cdef JoinedTree tree = self._word(root)
        cdef int word = left_child(c, root)
        while word != NONE:
            _add(&self.sets[tree.sets], self.numbers[word])
            word = left_child(c, word)
        word = right_child(c, root)
        while word != NONE:
            _add(&self.sets[tree.sets + self.blocks], self.numbers[word])
            word = right_child(c, word)
        return tree

    cdef void _join(
        self, const Configuration* c, const Gold* gold, JoinedTree a, JoinedTree b, vector[JoinedTree]& cell, int i,
        int j, int most,
    ) noexcept nogil:
        """Join two neighbours, a to the left of b, for the cell (i, j).

        The root of one is attached to its gold head on the inner spine of the other. If that head is not there, it is
        attached to the end of the spine, where it hides nothing from later elements.
        """
        cdef JoinedTree tree
        cdef int last = 64 * self.blocks - 1, number, end
        if a.root != ROOT:
            number = self.numbers[gold.heads[a.root]]
            if gold.heads[a.root] != b.root and not _has(&self.sets[b.sets], number):
                number = NONE
            tree = self._word(b.root)
            tree.excess = a.excess + b.excess + (number == NONE and not self._is_lost(c, gold, a.root))
            _copy(&self.sets[tree.sets], &self.sets[b.sets], 0 if number == NONE else number, last)
            _copy(&self.sets[tree.sets], &self.sets[a.sets], 0, last)
            _add(&self.sets[tree.sets], self.numbers[a.root])
            _copy(&self.sets[tree.sets + self.blocks], &self.sets[b.sets + self.blocks], 0, last)
            if tree.excess > most or not self._keep(cell, tree, i, j):
                self.sets.resize(tree.sets)
        if b.root != ROOT:
            number = self.numbers[gold.heads[b.root]]
            if gold.heads[b.root] != a.root and not _has(&self.sets[a.sets + self.blocks], number):
                number = NONE
            tree = self._word(a.root)
            tree.excess = a.excess + b.excess + (number == NONE and not self._is_lost(c, gold, b.root))
            end = last if number == NONE else number
            _copy(&self.sets[tree.sets + self.blocks], &self.sets[a.sets + self.blocks], 0, end)
            _copy(&self.sets[tree.sets + self.blocks], &self.sets[b.sets + self.blocks], 0, last)
            _add(&self.sets[tree.sets + self.blocks], self.numbers[b.root])
            _copy(&self.sets[tree.sets], &self.sets[a.sets], 0, last)
            if tree.excess > most or not self._keep(cell, tree, i, j):
                self.sets.resize(tree.sets)

    cdef bint _keep(self, vector[JoinedTree]& cell, JoinedTree tree, int i, int j) noexcept nogil:
        """Put a tree into the cell (i, j) unless another tree there is as good, and return whether it was kept.

        Words of its spines that are not the gold head of anything to be joined later are dropped.
        """
        cdef int block
        cdef size_t k
        for block in range(self.blocks):
            self.sets[tree.sets + block] &= self.pending_left[i * self.blocks + block]
            self.sets[tree.sets + self.blocks + block] &= self.pending_right[j * self.blocks + block]
        for k in range(cell.size()):
            if self._is_as_good(cell[k], tree):
                return False
            if self._is_as_good(tree, cell[k]):
                cell[k] = tree
                return True
        cell.push_back(tree)
        return True

    cdef bint _is_as_good(self, JoinedTree tree, JoinedTree other) noexcept nogil:
        cdef int block
        if tree.root != other.root or tree.excess > other.excess:
            return False
        for block in range(2 * self.blocks):
            if self.sets[other.sets + block] & ~self.sets[tree.sets + block]:
                return False
        return True


cdef bint _awaits(const Configuration* c, const Gold* gold, int word) noexcept nogil:
    """Return whether a word of the right spine has a gold dependent in the buffer."""
    while word != NONE:
        if children_in_buffer(c, gold, word):
            return True
        word = right_child(c, word)
    return False


cdef void _empty(vector[vector[JoinedTree]]& cells, size_t count) noexcept nogil:
    cdef size_t i
    if cells.size() < count:
        cells.resize(count)
    for i in range(count):
        cells[i].clear()


cdef inline void _add(uint64_t* bits, int number) noexcept nogil:
    if number != NONE:
        bits[number >> 6] |= <uint64_t>1 << (number & 63)


cdef inline bint _has(const uint64_t* bits, int number) noexcept nogil:
    return bits[number >> 6] >> (number & 63) & 1


cdef inline void _copy(uint64_t* target, const uint64_t* source, int first, int last) noexcept nogil:
    """Add the numbers from `first` to `last` of one set to another set."""
    cdef int block
    cdef uint64_t mask
    for block in range(first >> 6, (last >> 6) + 1):
        mask = ~<uint64_t>0
        if block == first >> 6:
            mask &= ~<uint64_t>0 << (first & 63)
        if block == last >> 6:
            mask &= ~<uint64_t>0 >> (63 - (last & 63))
        target[block] |= source[block] & mask
