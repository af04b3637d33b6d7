"""The oracles of Attardi's parser: Gómez-Rodríguez, Sartorio and Satta (EMNLP 2014).

The published reduction of the buffer loses words whose gold head is on the stack or gone, and the published filter of
arcs reads the wrong head. Both are corrected here. Both need a gold tree that the parser can build; for other trees the
table is filled without them.
"""

from libc.stdint cimport int8_t
from libcpp.vector cimport vector

from gardenpath.core.configuration cimport B, Configuration, GONE, IN_BUFFER, NONE, ON_STACK, ROOT, buffer_size, release
from gardenpath.core.gold cimport Gold
from gardenpath.core.moves cimport SHIFT
from gardenpath.oracles.base cimport GOLD_FIRST
from gardenpath.oracles.table cimport TableOracle, wrong_heads
from gardenpath.systems.attardi cimport Attardi

# The heads and dependents of left-arc, right-arc, left-arc:2 and right-arc:2, as indices from the top of the stack.
cdef int[4] HEADS = [0, 1, 0, 2]
cdef int[4] CHILDREN = [1, 0, 2, 0]

cdef enum:
    TOO_MUCH = 1 << 28     # the price of an arc that is not valid


# A part of a derivation: with h1 on top of the stack it reads some words and ends with h2 and h3 in place of h1. Words
# are represented by their indices in the table.
cdef struct DerivationItem:
    int h1
    int h2
    int h3
    int excess


cdef class AttardiOracle(TableOracle):
    """Exact losses, by a lower bound if a greedy completion reaches it, else by a table of parts of derivations."""

    cdef Configuration probe           # for trying to build the gold tree
    cdef vector[int] stack             # the stack of the greedy completion
    cdef vector[int8_t] is_gone        # by word
    cdef vector[int] waiting           # by word: the number of gold dependents without a head
    cdef vector[int] words             # the stack, then the words of the buffer that are not dropped
    cdef int stack_size                # the number of these words that are on the stack
    cdef bint is_derivable             # whether the gold tree can be built at all
    cdef vector[int8_t] dropped        # by word: whether it is left out of the table
    cdef vector[int] subtree
    cdef vector[DerivationItem] items  # cell by cell, each in the order of h1
    cdef vector[size_t] begins         # by cell: the index of its first item
    cdef vector[size_t] ends
    cdef vector[int] prices            # by head and dependent: what the arc adds to the excess
    cdef vector[int] best              # by h2 and h3: the least excess
    cdef vector[int] touched

    def __init__(self, Attardi system, *_):
        pass

    def __dealloc__(self):
        release(&self.probe)

    cdef int static_move(self, const Configuration* c, const Gold* gold) noexcept nogil:
        """Return the first gold arc whose dependent is complete, else Shift; NONE if the gold tree cannot be built."""
        cdef int i, move, word
        for i in range(1, 5):
            move = self.system.available[i]
            word = self.system.arc_child(c, move)
            if not self.system.is_permitted(c, move) or gold.heads[word] != self.system.arc_head(c, move):
                continue
            if _is_complete(c, gold, word):
                return move
        return SHIFT if buffer_size(c) else NONE

    cdef int lower_bound(self, const Configuration* c, const Gold* gold) noexcept nogil:
        cdef int word, lost = wrong_heads(c, gold)
        for word in range(1, c.n + 1):
            lost += c.places[word] != GONE and _is_lost(c, gold, word)
        return lost

    cdef int loss_between(self, const Configuration* c, const Gold* gold, int least, int most) noexcept nogil:
        cdef int bound = self.lower_bound(c, gold), upper, excess
        if bound > most:
            return bound
        upper = self._greedy_loss(c, gold)
        # If the greedy completion misses the lower bound, every completion does: its arcs up to there satisfy
        # `_keeps_loss`.
        least = bound if upper == bound else max(bound + 1, least)
        if upper == least or least > most:
            return least
        most = min(most, upper - 1)
        self.is_derivable = self.builds(&self.probe, gold)
        self._list_words(c, gold)
        excess = self._excess(c, gold, most - bound)
        return bound + excess if bound + excess <= most else upper

    cdef void accept_optimal(
        self, const Configuration* c, const Gold* gold, const int* moves, int count, int8_t* accepted, int loss
    ) noexcept nogil:
        cdef int i, bound = self.lower_bound(c, gold), shift = NONE
        cdef bint found = False, found_gold = False
        for i in range(count):
            if moves[i] == SHIFT:
                shift = i
            else:
                accepted[i] = self._keeps_loss(c, gold, moves[i], bound, loss)
                found = found or accepted[i]
                found_gold = found_gold or (accepted[i] and self._builds_gold_arc(c, gold, moves[i]))
        if shift != NONE:
            # Some transition keeps the loss. Shift takes longest to check, so skip it if gold arcs are preferred to it.
            accepted[shift] = not found or (
                not (found_gold and self.preference == GOLD_FIRST) and self._try_loss(c, gold, SHIFT, loss)
            )

    cdef bint _keeps_loss(self, const Configuration* c, const Gold* gold, int move, int bound, int loss) noexcept nogil:
        """Return whether an arc keeps the loss.

        An arc that is gold, or whose dependent has lost its gold head, keeps the loss if the dependent has all its gold
        dependents. Proof: take any completion without this arc. Without the dependent on the stack, arcs between other
        words reach no farther than before. Any word that would become a dependent of it gets a wrong head there, so
        another wrong head costs the same: a neighbour, or the word takes the dependent's place and is attached as that
        would have been.
        """
        cdef int word = self.system.arc_child(c, move), lost = _count_waiting(c, gold, word)
        if gold.heads[word] != self.system.arc_head(c, move) and not _is_lost(c, gold, word):
            lost += 1
        return lost == 0 or (bound + lost <= loss and self._try_loss(c, gold, move, loss))

    cdef bint _try_loss(self, const Configuration* c, const Gold* gold, int move, int loss) noexcept nogil:
        self.try_move(c, move)
        return self.loss_between(&self.after, gold, loss, loss) == loss

    cdef int _greedy_loss(self, const Configuration* c, const Gold* gold) noexcept nogil:
        """Return the loss of a greedy completion: arcs that lose nothing, else Shift; at the end the cheapest arcs."""
        cdef int word, arc, next_word = 0, wrong = wrong_heads(c, gold)
        self.stack.assign(c.stack, c.stack + c.stack_size)
        self.is_gone.assign(c.n + 1, 0)
        self.waiting.assign(c.n + 1, 0)
        for word in range(1, c.n + 1):
            self.is_gone[word] = c.places[word] == GONE
            self.waiting[gold.heads[word]] += not self.is_gone[word]
        while next_word < buffer_size(c) or self.stack.size() > 1:
            arc = self._greedy_arc(gold, next_word < buffer_size(c))
            if arc == NONE:
                self.stack.push_back(B(c, next_word))
                next_word += 1
            else:
                word = self._stacked(CHILDREN[arc])
                wrong += gold.heads[word] != self._stacked(HEADS[arc])
                self.is_gone[word] = 1
                self.waiting[gold.heads[word]] -= 1
                self.stack.erase(self.stack.end() - 1 - CHILDREN[arc])
        return wrong

    cdef int _greedy_arc(self, const Gold* gold, bint can_shift) noexcept nogil:
        """Return the number of the arc to build, NONE for Shift."""
        cdef int arc, head, word, lost, least = TOO_MUCH, best = NONE
        for arc in range(4):
            head, word = self._stacked(HEADS[arc]), self._stacked(CHILDREN[arc])
            if word <= ROOT or head == NONE:
                continue
            if head == ROOT and self.system.single_root and (can_shift or self.stack.size() > 2):
                continue
            lost = self.waiting[word] + (gold.heads[word] != head and not self.is_gone[gold.heads[word]])
            if lost < least:
                least = lost
                best = arc
        return NONE if least and can_shift else best

    cdef inline int _stacked(self, int i) noexcept nogil:
        return self.stack[self.stack.size() - 1 - i] if <size_t>i < self.stack.size() else NONE

    cdef void _list_words(self, const Configuration* c, const Gold* gold) noexcept nogil:
        """List the words of the table: the stack and the buffer.

        Gold subtrees that cost nothing are represented by their top words.
        """
        cdef int i
        self.stack_size = c.stack_size
        self.words.assign(c.stack, c.stack + c.stack_size)
        self.dropped.assign(c.n + 1, 0)
        for i in range(buffer_size(c)):
            if self.is_derivable and not self.dropped[B(c, i)]:
                self._drop_subtree(c, gold, B(c, i))
        for i in range(buffer_size(c)):
            if not self.dropped[B(c, i)]:
                self.words.push_back(B(c, i))

    cdef void _drop_subtree(self, const Configuration* c, const Gold* gold, int top) noexcept nogil:
        """Drop the gold descendants of a word if they are contiguous in the buffer without gold arcs to the stack."""
        cdef int i, word, child, first = top, last = top, count = 1
        cdef size_t seen = 0
        self.subtree.assign(1, top)
        while seen < self.subtree.size():
            word = self.subtree[seen]
            seen += 1
            for i in range(gold.first_child[word], gold.first_child[word + 1]):
                child = gold.children[i]
                self.subtree.push_back(child)
                if c.places[child] == ON_STACK and c.places[word] == IN_BUFFER and word != top:
                    return
                if c.places[child] != IN_BUFFER:
                    continue
                if c.places[word] == ON_STACK:
                    return
                first, last, count = min(first, child), max(last, child), count + 1
        if last - first + 1 != count:
            return
        for seen in range(1, self.subtree.size()):
            self.dropped[self.subtree[seen]] = c.places[self.subtree[seen]] == IN_BUFFER

    # ---- the table ---------------------------------------------------------------------------------------------------

    cdef int _excess(self, const Configuration* c, const Gold* gold, int most) noexcept nogil:
        """Return the number of words besides the lost ones that must get a wrong head, or any number above `most`.

        Cell (i, j) holds the items that read the words from index i up to, not including, index j. Two neighbouring
        items are joined by an arc between two of the three words that they leave. The index behind the last word stands
        for what is below the root.
        """
        cdef int size = <int>self.words.size(), below = size, width, i, h
        self.items.clear()
        self.begins.assign(size * (size + 1), 0)
        self.ends.assign(size * (size + 1), 0)
        self.best.assign((size + 1) * (size + 1), most + 1)
        self._set_prices(c, gold, not self.system.single_root)
        for i in range(size):
            self.begins[i * (size + 1) + i + 1] = self.items.size()
            if i == 0:
                self._put(below, below, 0, 0)
            for h in range(i - 1 if 0 < i < self.stack_size else 0, i):
                self._put(h, h, i, 0)
            self.ends[i * (size + 1) + i + 1] = self.items.size()
        for width in range(2, size + 1):
            if width == size:
                self._set_prices(c, gold, True)
            for i in range(max(0, self.stack_size - width), size - width + 1):
                self._fill_cell(i, i + width, most)
        for i in range(<int>self.begins[size], <int>self.ends[size]):
            if self.items[i].h2 == below and self.items[i].h3 == 0:
                return self.items[i].excess
        return most + 1

    cdef void _set_prices(self, const Configuration* c, const Gold* gold, bint root_is_free) noexcept nogil:
        """Set what each arc adds to the excess: TOO_MUCH if it is not valid."""
        cdef int size = <int>self.words.size(), head, dependent, word
        self.prices.assign((size + 1) * (size + 1), TOO_MUCH)
        for head in range(0 if root_is_free else 1, size):
            for dependent in range(1, size):
                word = self.words[dependent]
                self.prices[head * (size + 1) + dependent] = (
                    gold.heads[word] != self.words[head] and not _is_lost(c, gold, word)
                )

    cdef void _put(self, int h1, int h2, int h3, int excess) noexcept nogil:
        cdef DerivationItem item
        item.h1, item.h2, item.h3, item.excess = h1, h2, h3, excess
        self.items.push_back(item)

    cdef void _fill_cell(self, int i, int j, int most) noexcept nogil:
        cdef int size = <int>self.words.size(), h1, k, place
        cdef int first = size if i == 0 else i - 1 if i < self.stack_size else 0
        # Within the buffer, a gold tree that can be built needs no wrong arc to a word whose gold head is still there.
        cdef int dearest = 0 if i >= self.stack_size and self.is_derivable else most
        self.begins[i * (size + 1) + j] = self.items.size()
        for h1 in range(first, max(i, first + 1)):
            self.touched.clear()
            self._join_cells(h1, i, i + 1, j, most, dearest)
            for k in range(max(i + 2, self.stack_size), j):
                self._join_cells(h1, i, k, j, most, dearest)
            for place in self.touched:
                self._put(h1, place // (size + 1), place % (size + 1), self.best[place])
                self.best[place] = most + 1
        self.ends[i * (size + 1) + j] = self.items.size()

    cdef void _join_cells(self, int h1, int i, int k, int j, int most, int dearest) noexcept nogil:
        """Join the items of cell (i, k) that begin with h1 to those of cell (k, j)."""
        cdef int size = <int>self.words.size()
        cdef size_t x = self._first_from(i * (size + 1) + k, h1), y
        cdef size_t end = self.ends[i * (size + 1) + k], other_end = self.ends[k * (size + 1) + j]
        cdef DerivationItem a, b
        while x < end and self.items[x].h1 == h1:
            a = self.items[x]
            y = self._first_from(k * (size + 1) + j, a.h3)
            while y < other_end and self.items[y].h1 == a.h3:
                b = self.items[y]
                if a.excess + b.excess <= most:
                    # With h2 of one item and h2, h3 of the other on the stack: the four arcs, each with the two words
                    # it leaves.
                    self._build(b.h3, b.h2, a.h2, b.h3, a.excess + b.excess, most, dearest)
                    self._build(b.h2, b.h3, a.h2, b.h2, a.excess + b.excess, most, dearest)
                    self._build(b.h3, a.h2, b.h2, b.h3, a.excess + b.excess, most, dearest)
                    self._build(a.h2, b.h3, a.h2, b.h2, a.excess + b.excess, most, dearest)
                y += 1
            x += 1

    cdef size_t _first_from(self, int cell, int h1) noexcept nogil:
        """Return the index of the first item of a cell that begins with h1 or a later word."""
        cdef size_t low = self.begins[cell], high = self.ends[cell], middle
        while low < high and self.items[low].h1 < h1:
            middle = (low + high) // 2
            if self.items[middle].h1 < h1:
                low = middle + 1
            else:
                high = middle
        return low

    cdef inline void _build(
        self, int head, int dependent, int h2, int h3, int excess, int most, int dearest
    ) noexcept nogil:
        """Add an arc that leaves h2 and h3."""
        cdef int size = <int>self.words.size(), price = self.prices[head * (size + 1) + dependent]
        cdef int* value = &self.best[h2 * (size + 1) + h3]
        if price <= dearest and excess + price <= most and excess + price < value[0]:
            if value[0] > most:
                self.touched.push_back(h2 * (size + 1) + h3)
            value[0] = excess + price


cdef inline bint _is_lost(const Configuration* c, const Gold* gold, int word) noexcept nogil:
    """Return whether the gold head of a word without a head is neither on the stack nor in the buffer."""
    return c.places[gold.heads[word]] == GONE


cdef int _count_waiting(const Configuration* c, const Gold* gold, int word) noexcept nogil:
    """Return the number of gold dependents of a word that have no head."""
    cdef int i, count = 0
    for i in range(gold.first_child[word], gold.first_child[word + 1]):
        count += c.places[gold.children[i]] != GONE
    return count


cdef bint _is_complete(const Configuration* c, const Gold* gold, int word) noexcept nogil:
    """Return whether all gold dependents of the word are attached to it."""
    cdef int i
    for i in range(gold.first_child[word], gold.first_child[word + 1]):
        if c.heads[gold.children[i]] != word:
            return False
    return True
