"""The border between systems and everybody else: abstract system, Python's view of a configuration."""

from array import array

from gardenpath.core.configuration cimport B, NONE, S, buffer_size, clear, copy_into, left_child, release, reserve, right_child
from gardenpath.core.configuration cimport Configuration as RawConfiguration

from inspect import cleandoc

from gardenpath.core.moves import NAMES
from gardenpath.errors import UsageError


cdef class Configuration:
    """A configuration over words 1..n: stack, buffer and the arcs built so far.

    Lists read from left to right: the top of the stack comes last, the front of the buffer first. `heads[0]` is the head of word 1; -1 is unattached,
    0 the root.
    """

    def __cinit__(self, int n):
        if n < 1:
            raise UsageError(f"a configuration needs at least one word, not {n}")
        self.label_names = []
        reserve(&self.c, n)
        clear(&self.c, n)

    def __dealloc__(self):
        release(&self.c)

    @property
    def stack(self):
        """The words on the stack, the top last."""
        return [self.c.stack[i] for i in range(self.c.stack_size)]

    @property
    def buffer(self):
        """The words in the buffer, the front first."""
        return [B(&self.c, i) for i in range(buffer_size(&self.c))]

    @property
    def heads(self):
        """The head of each word: -1 unattached, 0 the root."""
        return [self.c.heads[i] for i in range(1, self.c.n + 1)]

    @property
    def labels(self):
        """The label of each word's arc; None where there is none."""
        return [self.label_names[self.c.labels[i]] if self.c.labels[i] != NONE else None for i in range(1, self.c.n + 1)]

    def children(self, int word):
        """The words attached to a word (0: to the root), from left to right."""
        if not 0 <= word <= self.c.n:
            raise UsageError(f"no word {word} in a configuration over words 1 to {self.c.n}")
        left, right = [], []
        for children, child in ((left, self.c.left[word].first), (right, self.c.right[word].first)):
            while child != NONE:
                children.append(child)
                child = self.c.siblings[child]
        return left + right[::-1]

    @property
    def spines(self):
        """For each word on the stack its left and its right spine: the word, its outermost child on that side, that one's outermost child, and so on."""
        result = []
        for word in self.stack:
            left, right = [word], [word]
            while left_child(&self.c, left[-1]) != NONE:
                left.append(left_child(&self.c, left[-1]))
            while right_child(&self.c, right[-1]) != NONE:
                right.append(right_child(&self.c, right[-1]))
            result.append([left, right])
        return result

    @property
    def lambda1(self):
        """Covington only: the words up to the left focus word, which comes last."""
        self._require_pairs("lambda1")
        return self.stack

    @property
    def lambda2(self):
        """Covington only: the words between the left and the right focus word."""
        self._require_pairs("lambda2")
        return list(range(self.c.stack_size + 1, self.c.cursor + 1))

    def _require_pairs(self, name):
        if not (self.system or "").startswith("covington"):
            raise AttributeError(f"a configuration of {self.system or 'no system'} has no {name}; only Covington's have")

    def remember(self, int word, label):
        """Set the label that a repairing Reduce will give the word (parsing writes it at each Shift)."""
        if not 1 <= word <= self.c.n:
            raise UsageError(f"no word {word} in a configuration over words 1 to {self.c.n}")
        self.c.shift_labels[word] = self.label_of(label)

    def copy(self):
        """An independent copy."""
        cdef Configuration other = Configuration(self.c.n)
        copy_into(&other.c, &self.c)
        other.system = self.system
        other.single_root = self.single_root
        other.label_names = list(self.label_names)
        return other

    def key(self):
        """All that decides what can still happen, as bytes; labels do not count."""
        cdef RawConfiguration* c = &self.c
        return b"|".join((
            <bytes>(<char*>c.stack)[: c.stack_size * sizeof(int)],
            <bytes>(<char*>c.returned)[: c.returned_size * sizeof(int)],
            <bytes>(<char*>c.heads)[: (c.n + 1) * sizeof(int)],
            <bytes>(<char*>c.marks)[: c.n + 1],
            b"%d %d" % (c.cursor, c.flag),
        ))

    def __len__(self):
        return self.c.n

    def __repr__(self):
        return f"Configuration(stack={self.stack}, buffer={self.buffer}, heads={self.heads})"

    cdef int label_of(self, label) except -2:
        if label is None:
            return NONE
        if label not in self.label_names:
            self.label_names.append(label)
        return self.label_names.index(label)


cdef class TransitionSystem:
    """A transition system: where it starts, which moves are permitted, what they do, when it ends."""

    has_root_mode = False     # can it be asked for parses with one root word?

    def __cinit__(self, *_):
        self.is_projective = True
        self.pair = ("S0", "N0")

    cdef void start(self, RawConfiguration* c) noexcept nogil:
        pass

    cdef bint is_permitted(self, const RawConfiguration* c, int move) noexcept nogil:
        return False

    cdef void apply_move(self, RawConfiguration* c, int move, int label) noexcept nogil:
        pass

    cdef bint is_terminal(self, const RawConfiguration* c) noexcept nogil:
        return True

    cdef bint repairs(self, const RawConfiguration* c, int move) noexcept nogil:
        """Does the move take back an earlier decision?"""
        return False

    cdef bint builds_arc(self, const RawConfiguration* c, int move) noexcept nogil:
        return self.arc_head(c, move) != NONE

    cdef int arc_head(self, const RawConfiguration* c, int move) noexcept nogil:
        """The head of the arc that the move builds, NONE if it builds none."""
        return NONE

    cdef int arc_child(self, const RawConfiguration* c, int move) noexcept nogil:
        return NONE

    cdef int longest(self, int n) noexcept nogil:
        """The proved bound on the number of moves for n words."""
        return 0

    cdef int widest(self, int n) noexcept nogil:
        """The most moves that can be permitted at once for n words."""
        return self.available_count

    cdef int forced(self, const RawConfiguration* c) noexcept nogil:
        """A permitted move that may be made unasked, since all others lead to the same arcs; NONE if it matters which is made."""
        return NONE

    cdef int list_moves(self, const RawConfiguration* c, int* moves) noexcept nogil:
        """Write the permitted moves, in the paper's order; answer how many there are."""
        cdef int i, count = 0
        for i in range(self.available_count):
            moves[count] = self.available[i]
            count += self.is_permitted(c, self.available[i])
        return count

    cdef int word_at(self, const RawConfiguration* c, int move, int base, int index) noexcept nogil:
        """The word that a template finds there when it looks at this move."""
        if base == STACK:
            return S(c, index)
        return B(c, index) if base == BUFFER else NONE

    cdef bint is_deep(self, const RawConfiguration* c, int move) noexcept nogil:
        """Does the move see other words than all the rest?"""
        return False

    cdef bint is_moved(self, int kind, int base, int index) noexcept nogil:
        """Do deep moves of this kind find other words there? With pairs: does a word there belong to the left of the pair (LEFT_ARC), or to the right?"""
        return False

    cdef str name_of(self, const RawConfiguration* c, int move):
        return NAMES[move]

    cdef dict named(self, Configuration c):
        """The permitted moves by name."""
        self.require(c)
        cdef int[::1] moves = array("i", bytes(4 * self.widest(c.c.n) + 4))
        return {self.name_of(&c.c, moves[i]): moves[i] for i in range(self.list_moves(&c.c, &moves[0]))}

    cdef int require(self, Configuration c) except -1:
        """Refuse the configuration of another system, or one with several root words where there can be but one."""
        if c.system != self.name or self.single_root > c.single_root:
            raise UsageError(f"{c!r} belongs to {c.system or 'no system'}, not to {self!r}; make one with the `initial` of that")
        return 0

    # ---- looking inside -----------------------------------------------------------------------------------------------------------------------------

    @property
    def moves(self):
        """The names of the system's moves, in the paper's order."""
        return [NAMES[self.available[i]] for i in range(self.available_count)]

    def initial(self, int n):
        """The initial configuration over words 1..n."""
        cdef Configuration c = Configuration(n)
        c.system = self.name
        c.single_root = self.single_root
        self.start(&c.c)
        return c

    def valid(self, Configuration c):
        """The names of the permitted moves, sorted."""
        return sorted(self.named(c))

    def apply(self, Configuration c, str move, label=None):
        """Make a permitted move; the configuration changes in place."""
        self.apply_move(&c.c, self._permitted(c, move), c.label_of(label))

    def is_final(self, Configuration c):
        """Has the parse ended?"""
        self.require(c)
        return self.is_terminal(&c.c)

    def is_repair(self, Configuration c, str move):
        """Does a permitted move take back an earlier decision (replace an arc, attach a word left behind, reopen one)?"""
        return self.repairs(&c.c, self._permitted(c, move))

    def arc(self, Configuration c, str move):
        """The head and the child of the arc that a permitted move builds; None if it builds none."""
        return self.arc_of(c, self._permitted(c, move))

    cdef tuple arc_of(self, Configuration c, int move):
        return (self.arc_head(&c.c, move), self.arc_child(&c.c, move)) if self.builds_arc(&c.c, move) else None

    def _permitted(self, Configuration c, str move):
        moves = self.named(c)
        if move not in moves:
            raise UsageError(f"{self.name}: {move!r} is not permitted in {c!r}; permitted here: {', '.join(sorted(moves)) or 'nothing, it is final'}")
        return moves[move]

    def most_moves(self, int n):
        """The proved bound on the number of moves for n words."""
        return self.longest(n)

    @property
    def definition(self):
        """The system as in its paper: citation, moves, start and end."""
        return cleandoc(type(self).__doc__)

    def __repr__(self):
        return f"<system {self.name}{', single-root mode' if self.has_root_mode and self.single_root else ''}>"
