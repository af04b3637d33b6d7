"""The oracles of Attardi's parser: Gómez-Rodríguez, Sartorio and Satta (EMNLP 2014).

The published reduction of the buffer loses words whose gold head is on the stack or gone, and the published filter of
arcs reads the wrong head. Both are corrected here. Both need a gold tree that the parser can build; for other trees the
table is filled without them. The table itself is in `derivations`.
"""

from libc.stdint cimport int8_t
from libcpp.vector cimport vector

from gardenpath.core.configuration cimport B, Configuration, GONE, IN_BUFFER, NONE, ON_STACK, ROOT, buffer_size, release
from gardenpath.core.gold cimport Gold
from gardenpath.core.moves cimport SHIFT
from gardenpath.oracles.base cimport GOLD_FIRST
from gardenpath.oracles.derivations cimport DerivationTable
from gardenpath.oracles.table cimport TableOracle, wrong_heads
from gardenpath.systems.attardi cimport Attardi

# The heads and dependents of left-arc, right-arc, left-arc:2 and right-arc:2, as indices from the top of the stack.
cdef int[4] HEADS = [0, 1, 0, 2]
cdef int[4] CHILDREN = [1, 0, 2, 0]

cdef enum:
    TOO_MUCH = 1 << 28     # more than any arc loses


cdef class AttardiOracle(TableOracle):
    """Exact losses, by a lower bound if a greedy completion reaches it, else by a table of parts of derivations."""

    cdef Configuration probe           # for trying to build the gold tree
    cdef vector[int] stack             # the stack of the greedy completion
    cdef vector[int8_t] is_gone        # by word
    cdef vector[int] waiting           # by word: the number of gold dependents without a head
    cdef vector[int] words             # of the table: the stack, then the words of the buffer that are not dropped
    cdef vector[int8_t] dropped        # by word: whether it is left out of the table
    cdef vector[int] subtree
    cdef vector[int] numbers           # by word: its number in the table
    cdef DerivationTable table

    def __init__(self, Attardi system, *_):
        self.table = DerivationTable()
        self.table.single_root = system.single_root

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
        self.table.is_derivable = self.builds(&self.probe, gold)
        self._list_words(c, gold)
        self._number_words(c, gold)
        excess = self.table.excess(most - bound)
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
        """List the words of the table: those of the stack and the buffer that matter.

        Gold subtrees that cost nothing are represented by their top words. Words that are lost and that no other word
        waits for are left out.
        """
        cdef int i
        self.dropped.assign(c.n + 1, 0)
        for i in range(buffer_size(c)):
            if self.table.is_derivable and not self.dropped[B(c, i)]:
                self._drop_subtree(c, gold, B(c, i))
        self.words.assign(1, ROOT)
        for i in range(1, c.stack_size):
            self._list_word(c, gold, c.stack[i])
        self.table.stack_size = <int>self.words.size()
        for i in range(buffer_size(c)):
            if not self.dropped[B(c, i)]:
                self._list_word(c, gold, B(c, i))

    cdef void _list_word(self, const Configuration* c, const Gold* gold, int word) noexcept nogil:
        """List a word that is not lost, or that is the gold head of a waiting word of the table."""
        cdef int i
        cdef bint matters = not _is_lost(c, gold, word)
        for i in range(gold.first_child[word], gold.first_child[word + 1]):
            matters = matters or not (c.places[gold.children[i]] == GONE or self.dropped[gold.children[i]])
        if matters:
            self.words.push_back(word)

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

    cdef void _number_words(self, const Configuration* c, const Gold* gold) noexcept nogil:
        """Give the table its words and their gold heads."""
        cdef int i
        self.table.size = <int>self.words.size()
        self.table.heads.assign(self.words.size(), NONE)
        self.numbers.resize(c.n + 1)
        for i in range(self.table.size):
            self.numbers[self.words[i]] = i
        for i in range(1, self.table.size):
            if not _is_lost(c, gold, self.words[i]):
                self.table.heads[i] = self.numbers[gold.heads[self.words[i]]]


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
