"""The oracles of the arc-eager family.

Dynamic oracles: Goldberg and Nivre (COLING 2012) for the monotonic system; Honnibal, Goldberg and Johnson (CoNLL 2013)
for NM-L, NM-D and NM-L+D, with one cost that the paper's table lacks: a repairing Reduce of a word whose gold head is
still in the buffer; Honnibal and Johnson (EMNLP 2015) for Unshift, with the terms that the text leaves out. As in the
papers, s is the top of the stack and b the front of the buffer.
"""

from libcpp.vector cimport vector

from gardenpath.core.configuration cimport B, GONE, IN_BUFFER, NONE, ON_STACK, ROOT, S, buffer_size, is_free
from gardenpath.core.configuration cimport Configuration as RawConfiguration
from gardenpath.core.gold cimport (
    Gold, children_in_buffer, children_on_stack, free_children_on_stack, head_in_buffer, head_on_stack,
)
from gardenpath.core.moves cimport LEFT_ARC, REDUCE, RIGHT_ARC, SHIFT, UNSHIFT, has
from gardenpath.oracles.base cimport MONOTONIC_ONLY, Oracle
from gardenpath.systems.arc_eager cimport ArcEager
from gardenpath.systems.base cimport Configuration


cdef class FamilyOracle(Oracle):
    """The static oracle of all six systems: a gold arc as soon as possible, Reduce when a word below is needed."""

    cdef int static_move(self, const RawConfiguration* c, const Gold* gold) noexcept nogil:
        cdef int s = S(c, 0), b = B(c, 0), i, k
        if b == NONE:
            return REDUCE
        if s != NONE and is_free(c, s) and gold.heads[s] == b:
            return LEFT_ARC
        if s != NONE and b != ROOT and gold.heads[b] == s:
            return RIGHT_ARC
        if s != NONE and not is_free(c, s):
            for i in range(1, c.stack_size):
                k = S(c, i)
                if gold.heads[b] == k or gold.heads[k] == b:
                    return REDUCE
        return SHIFT


cdef class ArcEagerOracle(FamilyOracle):
    """Exact costs of arc-eager, NM-L, NM-D and NM-L+D."""

    cdef bint left_arc_repairs
    cdef bint reduce_repairs

    def __init__(self, ArcEager system, *_):
        self.left_arc_repairs = system.left_arc_repairs
        self.reduce_repairs = system.reduce_repairs

    cdef int loss_of(self, const RawConfiguration* c, const Gold* gold) noexcept nogil:
        cdef int i, word, lost = 0
        for word in range(1, c.n + 1):
            if c.heads[word] != gold.heads[word] and c.places[word] != ON_STACK:
                if c.places[word] != IN_BUFFER or not (head_in_buffer(c, gold, word) or head_on_stack(c, gold, word)):
                    lost += 1
        for i in range(c.stack_size):
            word = c.stack[i]
            if word != ROOT and c.heads[word] != gold.heads[word]:
                lost += not self._attainable_from_stack(c, gold, i)
        return lost

    cdef bint _attainable_from_stack(self, const RawConfiguration* c, const Gold* gold, int i) noexcept nogil:
        cdef int word = c.stack[i]
        if is_free(c, word):
            if head_in_buffer(c, gold, word):
                return True
            return self.reduce_repairs and i > 0 and gold.heads[word] == c.stack[i - 1]
        return self.left_arc_repairs and head_in_buffer(c, gold, word)

    cdef int cost_of(self, const RawConfiguration* c, const Gold* gold, int move) noexcept nogil:
        return self._cost(c, gold, move, self.left_arc_repairs, self.reduce_repairs)

    cdef int _cost(self, const RawConfiguration* c, const Gold* gold, int move, bint nml, bint nmd) noexcept nogil:
        if move == SHIFT:
            return _shift_cost(c, gold, nml, nmd)
        if move == RIGHT_ARC:
            return _right_arc_cost(c, gold, nml)
        if move == LEFT_ARC:
            return _left_arc_cost(c, gold, nmd)
        return _reduce_cost(c, gold, nml)

    cdef unsigned preferred(self, const RawConfiguration* c, const Gold* gold, unsigned optimal) noexcept nogil:
        """Prefer fewest errors, then fewest repairs over the rest of the parse."""
        cdef int s = S(c, 0), b = B(c, 0)
        cdef unsigned moves
        if not (self.left_arc_repairs or self.reduce_repairs):
            return optimal
        if self.preference == MONOTONIC_ONLY:
            moves = self._monotonic(c, gold, optimal)
            return moves if moves else optimal
        moves = optimal
        if s != NONE and gold.heads[b] == s:
            moves &= ~(1 << SHIFT)
        if _head_behind_front(c, gold, b):
            moves &= ~(1 << RIGHT_ARC)
        if s != NONE and not is_free(c, s) and gold.heads[s] != b:
            moves &= ~(1 << LEFT_ARC)
        if s != NONE and is_free(c, s) and gold.heads[s] != S(c, 1):
            moves &= ~(1 << REDUCE)
        return moves

    cdef unsigned _monotonic(self, const RawConfiguration* c, const Gold* gold, unsigned optimal) noexcept nogil:
        cdef unsigned moves = 0
        cdef int i, move
        for i in range(self.system.available_count):
            move = self.system.available[i]
            if has(optimal, move) and not self.system.repairs(c, move) and self._cost(c, gold, move, False, False) == 0:
                moves |= 1 << move
        return moves


cdef bint _head_behind_front(const RawConfiguration* c, const Gold* gold, int word) noexcept nogil:
    """Return whether the word's gold head is in the buffer, but not at its front."""
    return head_in_buffer(c, gold, word) and gold.heads[word] != B(c, 0)


cdef bint _head_below_top(const RawConfiguration* c, const Gold* gold, int word) noexcept nogil:
    """Return whether the word's gold head is on the stack, but not at its top."""
    return head_on_stack(c, gold, word) and gold.heads[word] != S(c, 0)


cdef int _shift_cost(const RawConfiguration* c, const Gold* gold, bint nml, bint nmd) noexcept nogil:
    # b goes onto the stack: it can no longer get a head on the stack (NM-D: except s, by a Reduce), nor a dependent
    # there.
    cdef int b = B(c, 0)
    if b == ROOT:
        return 0
    cdef bint head_lost = _head_below_top(c, gold, b) if nmd else head_on_stack(c, gold, b)
    return head_lost + (children_on_stack(c, gold, b) if nml else free_children_on_stack(c, gold, b))


cdef int _right_arc_cost(const RawConfiguration* c, const Gold* gold, bint nml) noexcept nogil:
    # b gets s as its head: any other gold head is lost (NM-L: not one in the buffer), and so are its dependents on the
    # stack.
    cdef int b = B(c, 0)
    cdef bint head_lost = _head_below_top(c, gold, b) or (not nml and _head_behind_front(c, gold, b))
    return head_lost + (children_on_stack(c, gold, b) if nml else free_children_on_stack(c, gold, b))


cdef int _left_arc_cost(const RawConfiguration* c, const Gold* gold, bint nmd) noexcept nogil:
    # s leaves under b: lost are a gold head behind b, its dependents in the buffer (b may be one), and a gold head
    # below s if s has it already or (NM-D) could still get it by a Reduce.
    cdef int s = S(c, 0)
    cdef bint below = S(c, 1) != NONE and gold.heads[s] == S(c, 1) and (nmd or not is_free(c, s))
    return _head_behind_front(c, gold, s) + children_in_buffer(c, gold, s) + below


cdef int _reduce_cost(const RawConfiguration* c, const Gold* gold, bint nml) noexcept nogil:
    # s leaves: lost are its dependents in the buffer, and its gold head there if a later Left-Arc could have built that
    # arc.
    cdef int s = S(c, 0)
    return children_in_buffer(c, gold, s) + ((nml or is_free(c, s)) and head_in_buffer(c, gold, s))


cdef class UnshiftOracle(FamilyOracle):
    """Exact costs of arc-eager with Unshift."""

    cdef int loss_of(self, const RawConfiguration* c, const Gold* gold) noexcept nogil:
        cdef int word, lost = 0
        for word in range(1, c.n + 1):
            lost += not self._attainable(c, gold, word)
        return lost

    cdef bint _attainable(self, const RawConfiguration* c, const Gold* gold, int word) noexcept nogil:
        cdef int head = gold.heads[word]
        if c.heads[word] == head or (head == ROOT and is_free(c, word)):
            return True
        if head == ROOT or c.places[head] not in (IN_BUFFER, ON_STACK):
            return False
        if c.places[word] == IN_BUFFER or (c.places[word] == ON_STACK and c.places[head] == IN_BUFFER):
            return True
        # Both are on the stack: the later one can be unshifted while it is free, and then the arc can be built.
        return c.places[word] == ON_STACK and is_free(c, max(word, head))

    cdef int cost_of(self, const RawConfiguration* c, const Gold* gold, int move) noexcept nogil:
        cdef int s = S(c, 0), b = B(c, 0), lost
        if move == SHIFT or move == UNSHIFT:
            return 0
        if move == RIGHT_ARC:
            return _head_below_top(c, gold, b) + (gold.heads[b] == ROOT) + children_on_stack(c, gold, b)
        if move == REDUCE:
            return head_in_buffer(c, gold, s) + children_in_buffer(c, gold, s)
        lost = _head_behind_front(c, gold, s) + children_in_buffer(c, gold, s)
        if is_free(c, s):
            return lost + head_on_stack(c, gold, s) + (gold.heads[s] == ROOT) + children_on_stack(c, gold, s)
        return lost + (c.heads[s] == gold.heads[s])

    cdef unsigned preferred(self, const RawConfiguration* c, const Gold* gold, unsigned optimal) noexcept nogil:
        """Prefer transitions that lose no arc of a monotonic continuation, and repairs that win an arc back."""
        cdef int s = S(c, 0), b = B(c, 0)
        cdef unsigned moves = optimal
        if b != NONE and (head_on_stack(c, gold, b) or free_children_on_stack(c, gold, b) > 0):
            moves &= ~(1 << SHIFT)
        if b != NONE and _head_behind_front(c, gold, b):
            moves &= ~(1 << RIGHT_ARC)
        if s != NONE and not is_free(c, s) and gold.heads[s] != b:
            moves &= ~(1 << LEFT_ARC)
        if s != NONE and not (head_on_stack(c, gold, s) or free_children_on_stack(c, gold, s) > 0):
            moves &= ~(1 << UNSHIFT)
        if self.preference == MONOTONIC_ONLY and self._without_repairs(c, moves):
            return self._without_repairs(c, moves)
        return moves if moves else optimal

    cdef unsigned _without_repairs(self, const RawConfiguration* c, unsigned moves) noexcept nogil:
        if S(c, 0) != NONE and self.system.repairs(c, LEFT_ARC):
            moves &= ~(1 << LEFT_ARC)
        return moves & ~(1 << UNSHIFT)


cdef class TreeOracle(FamilyOracle):
    """Exact losses of the tree-constrained system; training costs of arc-eager with a virtual root token at the end.

    The two differ: words without a head can still be joined in the end phase, which the training costs ignore. The
    exact loss is not from a paper. Divide the stack into segments, each a free word and the taken words above it.
    Whatever a word of the buffer gains in the end phase it can also gain when it is read. So it is enough to choose how
    many segments, from the bottom, are kept for the end phase. Words of the buffer take the free words of all segments
    above these as dependents, can be attached to any word from the topmost kept segment on, and lose no gold arc that
    this allows. The kept segments are joined with the least loss.
    """

    cdef int cost_of(self, const RawConfiguration* c, const Gold* gold, int move) noexcept nogil:
        """Return the training cost."""
        cdef int s = S(c, 0), b = B(c, 0)
        if move == SHIFT:
            return head_on_stack(c, gold, b) + free_children_on_stack(c, gold, b)
        if move == RIGHT_ARC:
            return (
                _head_below_top(c, gold, b) + (_head_behind_front(c, gold, b) or gold.heads[b] == ROOT)
                + free_children_on_stack(c, gold, b)
            )
        if move == LEFT_ARC:
            return (_head_behind_front(c, gold, s) or gold.heads[s] == ROOT) + children_in_buffer(c, gold, s)
        if move == REDUCE:
            return children_in_buffer(c, gold, s)
        return 0

    cdef int loss_of(self, const RawConfiguration* c, const Gold* gold) noexcept nogil:
        cdef int word, lost = 0
        for word in range(1, c.n + 1):
            lost += c.heads[word] != NONE and _is_wrong(gold, word, c.heads[word])
        if self.system.is_terminal(c):
            return lost
        return lost + (_end_phase_loss(c, gold) if c.flag else _loss_before_the_end(c, gold))

    def costs(self, Configuration c, gold):
        """Return the exact cost of each valid transition: the loss after it minus the loss before it."""
        before = self.loss(c, gold)
        costs = {}
        for move in self.system.valid(c):
            after = c.copy()
            self.system.apply(after, move)
            costs[move] = self.loss(after, gold) - before
        return costs


cdef inline bint _is_wrong(const Gold* gold, int word, int head) noexcept nogil:
    """Return whether a head of the word is not its gold head. If no gold head is known, each head is right."""
    return gold.heads[word] not in (NONE, head)


cdef void _find_segments(const RawConfiguration* c, vector[int]& starts) noexcept nogil:
    """Find the indices on the stack where segments start, from the bottom, and where the last one ends."""
    cdef int i
    for i in range(c.stack_size):
        if is_free(c, c.stack[i]):
            starts.push_back(i)
    starts.push_back(c.stack_size)


cdef bint _head_in_segment(const RawConfiguration* c, const Gold* gold, int word, int start, int end) noexcept nogil:
    cdef int i
    if gold.heads[word] == NONE:
        return start < end
    for i in range(start, end):
        if c.stack[i] == gold.heads[word]:
            return True
    return False


cdef void _joining_losses(
    const RawConfiguration* c, const Gold* gold, const vector[int]& starts, vector[int]& hands, vector[int]& losses
) noexcept nogil:
    """Compute, for each hand, the least loss when the segments below its own are joined in the end phase.

    Hand i is the word at the start of segment i. The word in hand takes the free word of the segment below as its
    dependent, or it becomes a dependent of one of that segment's words, and then the free word of that segment is in
    hand.
    """
    cdef int i, j, taken, given, count = <int>hands.size()
    cdef vector[int] below
    for j in range(count):
        below.push_back(_is_wrong(gold, hands[j], ROOT))
    losses.push_back(below[0])
    for i in range(count - 1):
        # `below[j]` is about the segments below segment i; now segment i is joined to every hand above it.
        for j in range(i + 1, count):
            taken = _is_wrong(gold, hands[i], hands[j]) + below[j]
            given = (not _head_in_segment(c, gold, hands[j], starts[i], starts[i + 1])) + below[i]
            below[j] = min(taken, given)
        losses.push_back(below[i + 1])


cdef int _end_phase_loss(const RawConfiguration* c, const Gold* gold) noexcept nogil:
    """Return the number of free words that must get a wrong head once the buffer has been empty."""
    cdef vector[int] starts, hands, losses
    cdef int i
    _find_segments(c, starts)
    for i in range(<int>starts.size() - 1):
        hands.push_back(c.stack[starts[i]])
    if buffer_size(c):
        hands.push_back(B(c, 0))
    _joining_losses(c, gold, starts, hands, losses)
    return losses.back()


cdef bint _needs_no_end_phase(const RawConfiguration* c, const Gold* gold) noexcept nogil:
    """Return whether no gold arc is lost if no segment is kept: the buffer takes the free words of the stack."""
    cdef int i, head
    for i in range(c.stack_size):
        if is_free(c, c.stack[i]) and gold.heads[c.stack[i]] != NONE and not head_in_buffer(c, gold, c.stack[i]):
            return False
    for i in range(buffer_size(c)):
        head = gold.heads[B(c, i)]
        if head > ROOT and c.places[head] == GONE:
            return False
    return True


cdef int _loss_before_the_end(const RawConfiguration* c, const Gold* gold) noexcept nogil:
    """Return the number of free words that must get a wrong head, for the best number of kept segments."""
    cdef vector[int] starts, hands, losses
    cdef int i, word, head, kept, segments, lost, best = c.n + 1
    if _needs_no_end_phase(c, gold):
        return 0
    _find_segments(c, starts)
    segments = <int>starts.size() - 1
    for i in range(segments):
        hands.push_back(c.stack[starts[i]])
    if segments:
        _joining_losses(c, gold, starts, hands, losses)
    for kept in range(segments + 1):
        lost = losses[kept - 1] if kept else 0
        for i in range(kept, segments):
            lost += gold.heads[hands[i]] != NONE and not head_in_buffer(c, gold, hands[i])
        for i in range(buffer_size(c)):
            word = B(c, i)
            head = gold.heads[word]
            if head == ROOT:
                lost += kept > 0
            elif head != NONE and c.places[head] != IN_BUFFER:
                lost += not _head_in_segment(c, gold, word, starts[kept - 1] if kept else 0, c.stack_size)
        best = min(best, lost)
    return best
