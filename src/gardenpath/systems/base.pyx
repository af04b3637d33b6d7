"""The abstract transition system, and the configuration as Python sees it."""

from array import array

from libc.string cimport memset

from gardenpath.core.configuration cimport (
    B, GONE, IN_BUFFER, NONE, ON_STACK, ROOT, S, add_arc, buffer_size, clear, copy_into, left_child, release,
    remove_arc, reserve, right_child,
)
from gardenpath.core.configuration cimport Configuration as RawConfiguration
from gardenpath.core.moves cimport (
    LEFT_ARC, LEFT_ARC_2, RIGHT_ARC, RIGHT_ARC_2, RIGHT_ROOT, STAY_LEFT, STAY_RIGHT, kind_of,
)

from inspect import cleandoc

from gardenpath.core.moves import NAMES
from gardenpath.errors import UsageError


cdef class Configuration:
    """A configuration over words 1..n: stack, buffer and the arcs built so far.

    Lists read from left to right: the top of the stack comes last, the front of the buffer first. `heads[0]` is the
    head of word 1; -1 means unattached, 0 the root.

    The transitions of a system in plain Python change a configuration by assigning `stack`, `buffer`, `flag` and
    `marks`, and by `add_arc` and `remove_arc`. Other configurations change only by `system.apply`.
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

    @stack.setter
    def stack(self, words):
        self._require_editable()
        words = self._words(words)
        self.c.stack_size = <int>len(words)
        for i, word in enumerate(words):
            self.c.stack[i] = word
        self._find_places()

    @property
    def buffer(self):
        """The words in the buffer, the front first."""
        return [B(&self.c, i) for i in range(buffer_size(&self.c))]

    @buffer.setter
    def buffer(self, words):
        # All words become returned ones, which `key` and the signature of a beam item contain. The queue stays empty.
        self._require_editable()
        words = self._words(words)
        self.c.cursor = self.c.queue_size = 0
        self.c.returned_size = <int>len(words)
        for i, word in enumerate(reversed(words)):
            self.c.returned[i] = word
        self._find_places()

    @property
    def heads(self):
        """The head of each word: -1 means unattached, 0 the root."""
        return [self.c.heads[i] for i in range(1, self.c.n + 1)]

    @property
    def labels(self):
        """The label of each word's arc; None where there is none."""
        return [self._label_name(self.c.labels[i]) for i in range(1, self.c.n + 1)]

    @property
    def flag(self):
        """A bit that the system uses as it likes."""
        return bool(self.c.flag)

    @flag.setter
    def flag(self, bint value):
        self._require_editable()
        self.c.flag = value

    @property
    def marks(self):
        """A set of words that the system uses as it likes."""
        return {word for word in range(self.c.n + 1) if self.c.marks[word]}

    @marks.setter
    def marks(self, words):
        self._require_editable()
        words = self._words(words)
        for word in range(self.c.n + 1):
            self.c.marks[word] = word in words

    def add_arc(self, int head, int dependent, label=None):
        """Attach a word to a head (0: the root), in place of any head it has.

        Pass on the label that `apply` was given. Without one, an arc from the root gets the model's root label.
        """
        self._require_editable()
        self._require_word(dependent)
        if not 0 <= head <= self.c.n or head == dependent:
            raise UsageError(f"{head} cannot be the head of word {dependent} in a configuration of {self.c.n} words")
        number = self.label_of(label)
        add_arc(&self.c, head, dependent, self.c.root_label if number == NONE and head == ROOT else number)

    def remove_arc(self, int dependent):
        """Detach a word from its head, if it has one."""
        self._require_editable()
        self._require_word(dependent)
        if self.c.heads[dependent] != NONE:
            remove_arc(&self.c, dependent)

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
        """The left and right spine of each word on the stack: the word, its outermost dependent there, and so on."""
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
        """The words up to the left word of the pair, which is the last (only in systems that go through pairs)."""
        self._require_pairs("lambda1")
        return self.stack

    @property
    def lambda2(self):
        """The words between the two words of the pair (only in systems that go through pairs)."""
        self._require_pairs("lambda2")
        return list(range(self.c.stack_size + 1, self.c.cursor + 1))

    def _require_pairs(self, name):
        from gardenpath import systems
        if self.system is None or not systems.get(self.system).has_pairs:
            raise AttributeError(
                f"a configuration of {self.system or 'no system'} has no {name}; only systems with pairs have it"
            )

    def _words(self, words):
        """Return words as a list without repetitions that fits this configuration."""
        words = list(words)
        if len(set(words)) < len(words) or not all(0 <= word <= self.c.n for word in words):
            raise UsageError(f"{words} must be different words from 0 (the root) to {self.c.n}")
        return words

    cdef void _find_places(self) noexcept:
        cdef int i
        for i in range(self.c.n + 1):
            self.c.places[i] = GONE
        for i in range(buffer_size(&self.c)):
            self.c.places[B(&self.c, i)] = IN_BUFFER
        for i in range(self.c.stack_size):
            self.c.places[self.c.stack[i]] = ON_STACK

    cdef int _require_editable(self) except -1:
        if not self.is_editable and self.label_names is not None and self.system is not None:
            from gardenpath import systems
            self.is_editable = isinstance(systems.get(self.system), systems.PythonSystem)
        if not self.is_editable:
            raise UsageError(
                f"{self!r} changes only by `system.apply`; Python code can change others in `apply` of a PythonSystem"
            )
        return 0

    cdef int _require_word(self, int word) except -1:
        if not 1 <= word <= self.c.n:
            raise UsageError(f"no word {word} in a configuration over words 1 to {self.c.n}")
        return 0

    def remember(self, int word, label):
        """Set the label that a repairing Reduce will give the word (parsing writes it at each Shift)."""
        self._require_word(word)
        self.c.shift_labels[word] = self.label_of(label)

    def copy(self):
        """Return an independent copy."""
        cdef Configuration other = Configuration(self.c.n)
        copy_into(&other.c, &self.c)
        other.system = self.system
        other.single_root = self.single_root
        other.label_names = None if self.label_names is None else list(self.label_names)
        other.is_editable = self.is_editable
        return other

    def key(self):
        """Return all that decides which transitions can follow, as bytes; labels do not count."""
        cdef RawConfiguration* c = &self.c
        return b"|".join((
            <bytes>(<char*>c.stack)[: c.stack_size * sizeof(int)],
            <bytes>(<char*>c.returned)[: c.returned_size * sizeof(int)],
            <bytes>(<char*>c.heads)[: (c.n + 1) * sizeof(int)],
            <bytes>(<char*>c.marks)[: c.n + 1],
            b"%d %d" % (c.cursor, c.flag),
        ))

    def __len__(self):
        return max(self.c.n, 0)

    def __repr__(self):
        return f"Configuration(stack={self.stack}, buffer={self.buffer}, heads={self.heads})"

    cdef int label_of(self, label) except -2:
        """Return the number of a label. While the configuration is lent, labels are numbers already."""
        if label is None:
            return NONE
        if isinstance(label, int):
            return label
        if self.label_names is None:
            raise UsageError(f"{label!r} is not the label that `apply` was given; pass that one on to `add_arc`")
        if label not in self.label_names:
            self.label_names.append(label)
        return self.label_names.index(label)

    cdef object _label_name(self, int label):
        if label == NONE:
            return None
        return label if self.label_names is None else self.label_names[label]


cdef Configuration lend(TransitionSystem system, const RawConfiguration* c, bint editable):
    """Wrap a native configuration for a call of Python code. `take_back` must follow the call."""
    cdef Configuration lent = Configuration(1)
    release(&lent.c)
    lent.c = c[0]
    lent.system = system.name
    lent.single_root = system.single_root
    lent.label_names = None
    lent.is_editable = editable
    return lent


cdef void take_back(Configuration lent, RawConfiguration* c) noexcept:
    """End a loan, and copy changes back unless `c` is NULL.

    Code that has kept the object sees an empty configuration.
    """
    if c != NULL:
        c[0] = lent.c
    memset(&lent.c, 0, sizeof(RawConfiguration))
    lent.c.n = -1


cdef class TransitionSystem:
    """A transition system: initial configuration, valid transitions and what they do, final configurations.

    Class attributes declare what the rest of the package needs to know about a system. The defaults suit most systems.
    """

    has_root_mode = False            # whether the system has a mode in which every parse has one root word
    dependents_leave = False         # whether a word leaves stack and buffer with the transition that attaches it
    automatic = ()                   # names of transitions that are no decisions of the parser
    repairing = ()                   # names of transitions that can take back an earlier decision
    attaching_reduce = False         # whether Reduce can build an arc (setting `labelled_reduce`)
    separable_unshift = False        # whether Unshift can be scored apart from Reduce (setting `separate_unshift`)
    template_set = None              # the name of the feature template set made for the system
    slots = ("S0", "S1", "S2", "N0", "N1", "N2", "S0h", "S1h", "S0l", "S0r", "N0l")    # words that the network looks at
    preference = "repair-last"       # the default of the setting `prefer`
    default_oracle = "dynamic"       # the default of the setting `oracle`
    fixed_oracle = "static"          # its default for scorers that learn from derivations known in advance
    relative_time = 1.0              # training time relative to arc-eager, for estimates

    def __cinit__(self, *_):
        self.is_projective = True
        self.pair = ("S0", "N0")

    cdef void start(self, RawConfiguration* c) noexcept nogil:
        """Set an empty configuration to the initial one."""
        pass

    cdef bint is_permitted(self, const RawConfiguration* c, int move) noexcept nogil:
        """Return whether a transition is valid."""
        return False

    cdef void apply_move(self, RawConfiguration* c, int move, int label) noexcept nogil:
        """Make a valid transition."""
        pass

    cdef bint is_terminal(self, const RawConfiguration* c) noexcept nogil:
        """Return whether the configuration is final."""
        return True

    cdef bint repairs(self, const RawConfiguration* c, int move) noexcept nogil:
        """Return whether a valid transition takes back an earlier decision."""
        return False

    cdef bint builds_arc(self, const RawConfiguration* c, int move) noexcept nogil:
        return self.arc_head(c, move) != NONE

    cdef int arc_head(self, const RawConfiguration* c, int move) noexcept nogil:
        """Return the head of the arc that a transition builds, NONE if it builds none."""
        return NONE

    cdef int arc_child(self, const RawConfiguration* c, int move) noexcept nogil:
        """Return the dependent of the arc that a transition builds."""
        return NONE

    cdef int longest(self, int n) noexcept nogil:
        """Return the proved bound on the number of transitions for n words, 0 if none is known."""
        return 0

    cdef long limit(self, int n) noexcept nogil:
        """Return the number of transitions after which a parse of n words counts as endless."""
        cdef long bound = self.longest(n)
        return bound if bound > 0 else default_limit(n)

    cdef int widest(self, int n) noexcept nogil:
        """Return the largest number of transitions that can be valid at once for n words."""
        return self.available_count

    cdef int forced(self, const RawConfiguration* c) noexcept nogil:
        """Return a valid transition to make without scoring, as all lead to the same arcs; NONE if there is none."""
        return NONE

    cdef int list_moves(self, const RawConfiguration* c, int* moves) noexcept nogil:
        """Write the valid transitions, in the paper's order, and return their number."""
        cdef int i, count = 0
        for i in range(self.available_count):
            moves[count] = self.available[i]
            count += self.is_permitted(c, self.available[i])
        return count

    cdef int word_at(self, const RawConfiguration* c, int move, int base, int index) noexcept nogil:
        """Return the word that a template finds at an address when this transition is scored."""
        if base == STACK:
            return S(c, index)
        return B(c, index) if base == BUFFER else NONE

    cdef bint is_deep(self, const RawConfiguration* c, int move) noexcept nogil:
        """Return whether templates find other words for this transition than for most (`has_depths`)."""
        return False

    cdef bint is_moved(self, int kind, int base, int index) noexcept nogil:
        """Return whether deep transitions of this kind find another word at an address.

        With `has_pairs`: whether the word there depends on the left word of the pair (LEFT_ARC), or on the right one.
        """
        return False

    cdef bint takes_label(self, int kind):
        """Return whether transitions of a kind are scored with a label."""
        return kind in (LEFT_ARC, LEFT_ARC_2, RIGHT_ARC, RIGHT_ARC_2, STAY_LEFT, STAY_RIGHT, RIGHT_ROOT)

    cdef str kind_name(self, int kind):
        return NAMES[kind]

    cdef str name_of(self, const RawConfiguration* c, int move):
        return self.kind_name(kind_of(move))

    cdef dict named(self, Configuration c):
        """Return the valid transitions by name."""
        self.require(c)
        cdef int[::1] moves = array("i", bytes(4 * self.widest(c.c.n) + 4))
        cdef int count = self.list_moves(&c.c, &moves[0])
        self.raise_failure()
        return {self.name_of(&c.c, moves[i]): moves[i] for i in range(count)}

    cdef int require(self, Configuration c) except -1:
        """Raise an error if the configuration belongs to another system, or to one that allows more root words."""
        if c.system != self.name or self.single_root > c.single_root:
            raise UsageError(
                f"{c!r} belongs to {c.system or 'no system'}, not to {self!r}; make one with its `initial`"
            )
        return 0

    cdef int raise_failure(self) except -1:
        """Raise the error of this thread that native code could not pass on, in systems that run Python code."""
        return 0

    cdef int stop(self, const RawConfiguration* c, int valid_count, long made) except -1 with gil:
        """Raise the error of `require_progress`."""
        cdef Configuration last
        cdef long limit = self.limit(c.n)
        self.raise_failure()
        if valid_count > 0:
            raise UsageError(
                f"{self.name} has made {made} transitions on a sentence of {c.n} words and has not reached a final "
                f"configuration; correct its transitions or its limit, {limit}"
            )
        last = lend(self, c, False)
        state = repr(last)
        take_back(last, NULL)
        raise UsageError(
            f"{self.name} is stuck on a sentence of {c.n} words: no transition is valid, and {state} is not final; "
            f"correct its valid transitions or its final configurations"
        )

    # ---- the Python interface ----------------------------------------------------------------------------------------

    @property
    def moves(self):
        """The names of the system's transitions, in the paper's order."""
        return [self.kind_name(self.available[i]) for i in range(self.available_count)]

    def kinds_of(self, names):
        """Return the kinds of transitions with these names, as a set of bits."""
        kinds = {self.available[i] for i in range(self.available_count)}
        return sum(1 << kind for kind in kinds if self.kind_name(kind) in names)

    def initial(self, int n):
        """Return the initial configuration over words 1..n."""
        cdef Configuration c = Configuration(n)
        c.system = self.name
        c.single_root = self.single_root
        self.start(&c.c)
        return c

    def valid(self, Configuration c):
        """Return the names of the valid transitions, sorted."""
        return sorted(self.named(c))

    def apply(self, Configuration c, str move, label=None):
        """Make a valid transition; the configuration changes in place."""
        self.apply_move(&c.c, self._permitted(c, move), c.label_of(label))

    def is_final(self, Configuration c):
        """Return whether the configuration is final."""
        self.require(c)
        return self.is_terminal(&c.c)

    def is_repair(self, Configuration c, str move):
        """Return whether a valid transition takes back an earlier decision.

        Such a transition replaces an arc, attaches a word that was left behind, or returns a word to the buffer.
        """
        return self.repairs(&c.c, self._permitted(c, move))

    def arc(self, Configuration c, str move):
        """Return the head and the dependent of the arc that a valid transition builds; None if it builds none."""
        return self.arc_of(c, self._permitted(c, move))

    cdef tuple arc_of(self, Configuration c, int move):
        return (self.arc_head(&c.c, move), self.arc_child(&c.c, move)) if self.builds_arc(&c.c, move) else None

    def _permitted(self, Configuration c, str move):
        moves = self.named(c)
        if move not in moves:
            valid = ", ".join(sorted(moves)) or "nothing, it is final"
            raise UsageError(f"{self.name}: {move!r} is not valid in {c!r}; valid here: {valid}")
        return moves[move]

    def most_moves(self, int n):
        """Return the proved bound on the number of transitions for n words, 0 if none is known."""
        return self.longest(n)

    def max_transitions(self, int n):
        """Return the number of transitions after which a parse of n words counts as endless.

        It is the proved bound, or a generous default for a system that states none.
        """
        return self.limit(n)

    @property
    def definition(self):
        """The system as in its paper: citation, transitions, initial and final configurations."""
        return cleandoc(type(self).__doc__ or self.name)

    def __repr__(self):
        return f"<system {self.name}{', single-root mode' if self.has_root_mode and self.single_root else ''}>"
