"""The oracles of arc-standard: Sartorio, Satta and Nivre (ACL 2013), Goldberg, Sartorio and Satta (TACL 2014).

The published table counts the loss inside the top of the stack twice. Here every head that is set is counted once,
outside the table.
"""

from libc.stdint cimport int8_t
from libcpp.vector cimport vector

from gardenpath.core.configuration cimport B, Configuration, GONE, NONE, ROOT, S, buffer_size
from gardenpath.core.gold cimport Gold, children_in_buffer
from gardenpath.core.moves cimport LEFT_ARC, RIGHT_ARC, SHIFT
from gardenpath.oracles.table cimport TableOracle, wrong_heads
from gardenpath.systems.arc_standard cimport ArcStandard


cdef class ArcStandardOracle(TableOracle):
    """Exact losses by a table over the possible heads of the tree that joins parts of the stack and the right stack."""

    cdef vector[int] words             # by number in the table: the stack, then the right stack
    cdef vector[int] row               # by index in the right stack and number of the head: the least excess
    cdef vector[int] next_row

    def __init__(self, ArcStandard system, *_):
        pass

    cdef int static_move(self, const Configuration* c, const Gold* gold) noexcept nogil:
        cdef int s = S(c, 0), below = S(c, 1)
        if below != NONE and below != ROOT and gold.heads[below] == s:
            return LEFT_ARC
        if below != NONE and gold.heads[s] == below and children_in_buffer(c, gold, s) == 0:
            return RIGHT_ARC
        return SHIFT

    cdef void accept_on_path(
        self, const Configuration* c, const Gold* gold, const int* moves, int count, int8_t* accepted
    ) noexcept nogil:
        cdef int i, s = S(c, 0), below = S(c, 1)
        cdef bint has_left = False, has_right = False, awaits = False
        if below != NONE:
            awaits = children_in_buffer(c, gold, s) > 0
            has_left = gold.heads[below] == s
            has_right = gold.heads[s] == below and not awaits
        for i in range(count):
            if moves[i] == SHIFT:
                accepted[i] = awaits or not (has_left or has_right)
            else:
                accepted[i] = has_left if moves[i] == LEFT_ARC else has_right

    cdef int lower_bound(self, const Configuration* c, const Gold* gold) noexcept nogil:
        cdef int i, lost = wrong_heads(c, gold)
        if not c.stack_size:
            return 0
        for i in range(c.stack_size):
            lost += c.stack[i] != ROOT and _is_lost(c, gold, c.stack[i])
        for i in range(buffer_size(c)):
            lost += _is_lost(c, gold, B(c, i))
        return lost

    cdef int loss_between(self, const Configuration* c, const Gold* gold, int least, int most) noexcept nogil:
        cdef int bound = self.lower_bound(c, gold)
        if bound > most or c.stack_size < 2:
            return bound
        self.find_stacks(c, gold)
        return bound + self._excess(c, gold, most - bound)

    cdef int _excess(self, const Configuration* c, const Gold* gold, int most) noexcept nogil:
        """Return the number of words besides the lost ones that must get a wrong head, or any number above `most`.

        A cell stands for neighbouring words of the stack and the right stack around the top, joined into one tree. It
        holds the least excess for each head of that tree. The next word to the left or to the right becomes the new
        head, or a dependent of the head.
        """
        cdef int left = <int>self.left.size(), right = <int>self.right.size()
        cdef int i, j, h, none = most + 1, size = left + right
        self.words.assign(self.left.begin(), self.left.end())
        self.words.insert(self.words.end(), self.right.begin(), self.right.end())
        self.row.assign(right * size, none)
        self.row[0] = 0
        for i in range(left):
            self.next_row.assign(right * size, none)
            for j in range(right):
                for h in range(left + j + 1):
                    if self.row[j * size + h] > most:
                        continue
                    if i + 1 < left:
                        self._join(c, gold, &self.row[j * size + h], h, &self.next_row[j * size], i + 1)
                    if j + 1 < right:
                        self._join(c, gold, &self.row[j * size + h], h, &self.row[(j + 1) * size], left + j + 1)
            if i + 1 < left:
                self.row.swap(self.next_row)
        return self._best_head(c, gold, &self.row[(right - 1) * size], none)

    cdef void _join(
        self, const Configuration* c, const Gold* gold, const int* value, int h, int* cell, int number
    ) noexcept nogil:
        """Extend a cell by one word, as a dependent of the head or as its head."""
        cdef int head = self.words[h], word = self.words[number]
        if word != ROOT:
            cell[h] = min(cell[h], value[0] + _is_wrong(c, gold, head, word))
        if head != ROOT:
            cell[number] = min(cell[number], value[0] + _is_wrong(c, gold, word, head))

    cdef int _best_head(self, const Configuration* c, const Gold* gold, const int* cell, int none) noexcept nogil:
        """Return the least excess when everything is joined below the root."""
        cdef int h, best = none, left = <int>self.left.size()
        if not self.system.single_root:
            return cell[left - 1]
        for h in range(<int>self.words.size()):
            if cell[h] < best:
                best = min(best, cell[h] + _is_wrong(c, gold, ROOT, self.words[h]))
        return best


cdef inline bint _is_lost(const Configuration* c, const Gold* gold, int word) noexcept nogil:
    """Return whether the gold head of a word without a head is neither on the stack nor in the buffer."""
    return c.places[gold.heads[word]] == GONE


cdef inline bint _is_wrong(const Configuration* c, const Gold* gold, int head, int word) noexcept nogil:
    """Return whether an arc adds to the excess."""
    return gold.heads[word] != head and not _is_lost(c, gold, word)
