# cython: boundscheck=False, wraparound=False
"""The table of Attardi's oracle (Gómez-Rodríguez, Sartorio and Satta, EMNLP 2014), filled where it can matter.

Words are numbered from the bottom of the stack to the end of the buffer. An item of cell (i, j) begins with a word h1
on top of the stack, reads the words from i up to, not including, j, and ends with h2 and h3 in place of h1. Its excess
is the number of words that get a wrong head although their gold head was there at the beginning. Two neighbouring items
are joined by an arc between two of the three words that they leave. Columns are filled from left to right.

The table of the paper takes O(n⁸) steps. This one takes O(n⁷), and skips items that cannot lead to an excess of at most
`most`. The page of the system, docs/systems/attardi.md, has the proofs.
"""

from libcpp.algorithm cimport sort

from gardenpath.core.configuration cimport NONE, ROOT

cdef enum:
    TOO_MUCH = 1 << 28     # more than any excess


cdef class DerivationTable:
    """Computes the excess of a configuration from `heads` and the attributes after it. Not thread-safe."""

    cdef int excess(self, int most) noexcept nogil:
        """Return the number of words that must get a wrong head, or any number above `most`."""
        cdef int below = self.size, i, j
        cdef size_t k
        self.most = most
        self._prepare()
        for i in range(self.stack_size - 1):
            self._shift(i)
        for j in range(self.stack_size, self.size + 1):
            self._shift(j - 1)
            for i in range(j - 2, -1, -1):
                for k in range(self.rows[i], self.rows[i + 1]):
                    self._fill_cell(self.starts[k], i, j)
        if self.groups[self.longest[0]].end == self.size:
            for k in range(self.groups[self.longest[0]].first_item, self.groups[self.longest[0]].last_item):
                if self.items[k].h2 == below and self.items[k].h3 == ROOT:
                    return self.items[k].excess
        return most + 1

    cdef void _prepare(self) noexcept nogil:
        cdef int width = self.size + 1, columns = width - self.stack_size, word
        cdef size_t places = width * width
        self.items.clear()
        self.survivors.clear()
        self.groups.clear()
        self.starts.clear()
        self.rows.clear()
        self.longest.assign(self.stack_size + columns * width, NONE)
        self.before.assign(self.stack_size + columns * width, TOO_MUCH)
        for word in range(self.stack_size):
            self.before[word] = 0
        if self.best.size() < places:
            self.best.resize(places, TOO_MUCH)
            self.below.resize(width, TOO_MUCH)
        self._list_children()
        self._count_dependents(columns)

    cdef void _list_children(self) noexcept nogil:
        cdef int word
        self.first_child.assign(self.size + 2, 0)
        self.children.resize(self.size)
        for word in range(1, self.size):
            if self.heads[word] != NONE:
                self.first_child[self.heads[word] + 2] += 1
        for word in range(2, self.size + 2):
            self.first_child[word] += self.first_child[word - 1]
        for word in range(1, self.size):
            if self.heads[word] != NONE:
                self.children[self.first_child[self.heads[word] + 1]] = word
                self.first_child[self.heads[word] + 1] += 1

    cdef void _count_dependents(self, int columns) noexcept nogil:
        """Fill `right` and `crossing`, from the last column to the first."""
        cdef int width = self.size + 1, column, word
        cdef int* counts
        self.right.assign(columns * width, 0)
        self.crossing.assign(columns * width, 0)
        for column in range(columns - 2, -1, -1):
            counts = &self.right[column * width]
            for word in range(width):
                counts[word] = counts[word + width]
            if self.heads[self.stack_size + column] != NONE:
                counts[self.heads[self.stack_size + column]] += 1
            for word in range(self.stack_size + column - 1, -1, -1):
                self.crossing[column * width + word] = self.crossing[column * width + word + 1] + counts[word]

    cdef inline size_t _slot(self, int i, int h1) noexcept nogil:
        """Return the place of a beginning in `longest` and `before`. Within the stack, the word on top is known."""
        return i if i < self.stack_size else self.stack_size + (i - self.stack_size) * (self.size + 1) + h1

    cdef void _shift(self, int i) noexcept nogil:
        """Add the items that read word i only."""
        cdef int h
        self.rows.push_back(self.starts.size())
        for h in range(self.size if i == 0 else i - 1 if i < self.stack_size else 0, self.size + 1 if i == 0 else i):
            if self.before[self._slot(i, h)] <= self.most:
                self._relax(h, i, 0)
                self._close(h, i, i + 1)
            if self.longest[self._slot(i, h)] != NONE:
                self.starts.push_back(h)

    cdef void _fill_cell(self, int h1, int i, int j) noexcept nogil:
        """Add the items that begin with h1 and read the words from i up to j."""
        cdef int number = self.longest[self._slot(i, h1)], other
        cdef size_t first, last
        while number != NONE:
            first = self.groups[number].first_item
            while first < self.groups[number].last_item:
                last = first + 1
                while last < self.groups[number].last_item and self.items[last].h3 == self.items[first].h3:
                    last += 1
                other = self.longest[self._slot(self.groups[number].end, self.items[first].h3)]
                if other != NONE and self.groups[other].end == j:
                    self._join(i, first, last, &self.groups[other])
                first = last
            number = self.groups[number].shorter
        self._close(h1, i, j)

    cdef void _join(self, int i, size_t first, size_t last, const ItemGroup* other) noexcept nogil:
        """Join items that end with the same word on top of the stack to items that begin with it.

        With h2 of the first item and h2 and h3 of the second one on the stack, there are four arcs.
        """
        cdef bint only_free = i >= self.stack_size and self.is_derivable
        cdef int excess
        cdef size_t x, y
        for x in range(first, last):
            self.below[self.items[x].h2] = self.items[x].excess
            for y in range(other.first_survivor, other.last_survivor):
                excess = self.survivors[y].free if only_free else self.survivors[y].any
                self._relax(self.items[x].h2, self.survivors[y].word, self.items[x].excess + excess)
        self._build_long_arcs(self._cheapest_wrong(i, first, last), other)
        for x in range(first, last):
            self.below[self.items[x].h2] = TOO_MUCH

    cdef int _cheapest_wrong(self, int i, size_t first, size_t last) noexcept nogil:
        """Return the least excess of these items with a wrong Left-Arc:2 to their h2."""
        cdef int word, price, least = TOO_MUCH
        cdef bint is_needed
        cdef size_t x
        for x in range(first, last):
            word = self.items[x].h2
            if word == ROOT or word == self.size:
                continue
            price = self.heads[word] != NONE
            is_needed = i < self.stack_size if self.is_derivable and price else word < self.stack_size
            if is_needed:
                least = min(least, self.items[x].excess + price)
        return least

    cdef void _build_long_arcs(self, int wrong, const ItemGroup* other) noexcept nogil:
        """Note the items after Left-Arc:2, gold or with the excess `wrong`, and after a gold Right-Arc:2."""
        cdef int top, head, i, excess
        cdef size_t y
        for y in range(other.first_item, other.last_item):
            top, excess = self.items[y].h3, wrong
            for i in range(self.first_child[top], self.first_child[top + 1]):
                excess = min(excess, self.below[self.children[i]])
            self._relax(self.items[y].h2, top, self.items[y].excess + excess)
            head = self.heads[top]
            if head > ROOT or (head == ROOT and not self.single_root):
                self._relax(head, self.items[y].h2, self.items[y].excess + self.below[head])

    cdef inline void _relax(self, int h2, int h3, int excess) noexcept nogil:
        """Note that an item can be made with this excess."""
        cdef int place = h3 * (self.size + 1) + h2
        if excess <= self.most and excess < self.best[place]:
            if self.best[place] == TOO_MUCH:
                self.touched.push_back(place)
            self.best[place] = excess

    cdef void _close(self, int h1, int i, int j) noexcept nogil:
        """Add the noted items that matter as a group."""
        cdef int width = self.size + 1, place, excess, least = self.before[self._slot(i, h1)]
        cdef ItemGroup group
        cdef DerivationItem item
        cdef int* before
        if self.touched.empty():
            return
        group.end = j
        group.first_item = self.items.size()
        group.shorter = self.longest[self._slot(i, h1)]
        sort(self.touched.begin(), self.touched.end())
        for place in self.touched:
            item.h2, item.h3, item.excess = place % width, place // width, self.best[place]
            self.best[place] = TOO_MUCH
            excess = least + item.excess
            if excess + self._future(h1, j, item.h2, item.h3) <= self.most:
                self.items.push_back(item)
                before = &self.before[self._slot(j, item.h3)]
                before[0] = min(before[0], excess)
        self.touched.clear()
        group.last_item = self.items.size()
        if group.first_item < group.last_item:
            self._add_survivors(&group)
            self.longest[self._slot(i, h1)] = <int>self.groups.size()
            self.groups.push_back(group)

    cdef int _future(self, int h1, int j, int h2, int h3) noexcept nogil:
        """Return the number of words that will certainly get a wrong head after this item.

        They wait for their heads, and their gold heads are gone: all words after h1 and before j except h2 and h3.
        """
        cdef int column = (j - self.stack_size) * (self.size + 1), lost
        cdef int first = 0 if h1 == self.size else h1 + (h2 == h1)
        if j < self.stack_size:
            return 0
        lost = self.crossing[column + first] - self.right[column + h3]
        if h2 != h1:
            lost -= self.right[column + h2]
        if ROOT < h2 < self.size:
            lost += self._is_gone(h1, j, h2, h3, self.heads[h2])
        if ROOT < h3:
            lost += self._is_gone(h1, j, h2, h3, self.heads[h3])
        return lost

    cdef inline bint _is_gone(self, int h1, int j, int h2, int h3, int word) noexcept nogil:
        if word == NONE or word == h2 or word == h3 or word >= j:
            return False
        return h1 == self.size or word >= h1

    cdef void _add_survivors(self, ItemGroup* group) noexcept nogil:
        """List the words that are left of the items after an arc between their two words."""
        cdef size_t x
        cdef int h2, h3, excess
        group.first_survivor = self.survivors.size()
        for x in range(group.first_item, group.last_item):
            h2, h3, excess = self.items[x].h2, self.items[x].h3, self.items[x].excess
            if h2 == self.size:
                continue
            if h2 != ROOT:
                self._survive(group.first_survivor, h3, excess, self._price(h3, h2))
            if h2 != ROOT or not self.single_root or group.end == self.size:
                self._survive(group.first_survivor, h2, excess, self._price(h2, h3))
        group.last_survivor = self.survivors.size()

    cdef void _survive(self, size_t first, int word, int excess, int price) noexcept nogil:
        cdef Survivor survivor
        cdef size_t x
        if excess + price > self.most:
            return
        for x in range(first, self.survivors.size()):
            if self.survivors[x].word == word:
                break
        else:
            x = self.survivors.size()
            survivor.word, survivor.free, survivor.any = word, TOO_MUCH, TOO_MUCH
            self.survivors.push_back(survivor)
        self.survivors[x].any = min(self.survivors[x].any, excess + price)
        if price == 0:
            self.survivors[x].free = min(self.survivors[x].free, excess)

    cdef inline int _price(self, int head, int dependent) noexcept nogil:
        """Return what an arc adds to the excess."""
        return self.heads[dependent] != NONE and self.heads[dependent] != head
