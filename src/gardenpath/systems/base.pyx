"""The border between systems and everybody else: abstract system, Python's view of a configuration."""

from gardenpath.core.configuration cimport B, NONE, buffer_size, clear, copy_into, release, reserve
from gardenpath.core.configuration cimport Configuration as RawConfiguration

from inspect import cleandoc

from gardenpath.core.moves import MOVE_OF, NAMES
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

    def remember(self, int word, label):
        """Set the label that a repairing Reduce will give the word (parsing writes it at each Shift)."""
        if not 1 <= word <= self.c.n:
            raise UsageError(f"no word {word} in a configuration over words 1 to {self.c.n}")
        self.c.shift_labels[word] = self.label_of(label)

    def copy(self):
        """An independent copy."""
        cdef Configuration other = Configuration(self.c.n)
        copy_into(&other.c, &self.c)
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

    cdef unsigned permitted(self, const RawConfiguration* c) noexcept nogil:
        """The permitted moves, a bit each."""
        cdef unsigned moves = 0
        cdef int i
        for i in range(self.available_count):
            if self.is_permitted(c, self.available[i]):
                moves |= 1 << self.available[i]
        return moves

    # ---- looking inside -----------------------------------------------------------------------------------------------------------------------------

    @property
    def moves(self):
        """The names of the system's moves, in the paper's order."""
        return [NAMES[self.available[i]] for i in range(self.available_count)]

    def initial(self, int n):
        """The initial configuration over words 1..n."""
        cdef Configuration c = Configuration(n)
        self.start(&c.c)
        return c

    def valid(self, Configuration c):
        """The names of the permitted moves, sorted."""
        return sorted(NAMES[self.available[i]] for i in range(self.available_count) if self.is_permitted(&c.c, self.available[i]))

    def apply(self, Configuration c, str move, label=None):
        """Make a permitted move; the configuration changes in place."""
        self._require(c, move)
        self.apply_move(&c.c, MOVE_OF[move], c.label_of(label))

    def is_final(self, Configuration c):
        """Has the parse ended?"""
        return self.is_terminal(&c.c)

    def is_repair(self, Configuration c, str move):
        """Does a permitted move take back an earlier decision (replace an arc, attach a word left behind, reopen one)?"""
        self._require(c, move)
        return self.repairs(&c.c, MOVE_OF[move])

    def _require(self, Configuration c, str move):
        if move not in self.valid(c):
            raise UsageError(f"{self.name}: {move!r} is not permitted in {c!r}; permitted here: {', '.join(self.valid(c)) or 'nothing, it is final'}")

    def most_moves(self, int n):
        """The proved bound on the number of moves for n words."""
        return self.longest(n)

    @property
    def definition(self):
        """The system as in its paper: citation, moves, start and end."""
        return cleandoc(type(self).__doc__)

    def __repr__(self):
        return f"<system {self.name}>"
