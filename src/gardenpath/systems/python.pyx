"""Transition systems written in plain Python: slow, but short to write and easy to change.

For teaching and first drafts.
"""

from threading import get_ident

from gardenpath.core.configuration cimport B, NONE, ROOT, S, buffer_size, copy_into
from gardenpath.core.configuration cimport Configuration as RawConfiguration
from gardenpath.core.moves cimport CUSTOM, LEFT_ARC, MOVES, RIGHT_ARC, SHIFT
from gardenpath.systems.base cimport Configuration, TransitionSystem, default_limit, lend, take_back

from gardenpath.errors import UsageError
from gardenpath.systems.arc_standard import ArcStandard

KINDS = {"shift": SHIFT, "left-arc": LEFT_ARC, "right-arc": RIGHT_ARC}       # all other names get a kind of their own
MOST_TRANSITIONS = 16


cdef class PythonSystem(TransitionSystem):
    """The base class of transition systems in plain Python.

    A subclass defines

        name                    a class attribute, the name to register it under
        transitions             a class attribute: a dictionary from the names of the transitions, in the paper's order,
                                to the addresses of the head and the dependent of the arc that they build, such as
                                ("N0", "S0"), or to None; S0, S1, ... is the stack from its top, N0, N1, ... the buffer
        initial(n)              returns `self.configuration(n, stack=..., buffer=...)`
        valid(c)                returns the names of the valid transitions
        apply(c, name, label)   makes a valid transition; `label` is to be passed on to `c.add_arc`
        is_final(c)             returns whether a configuration is final

    and where needed `arc(c, name)`, `is_repair(c, name)`, `max_transitions(n)` and the attributes of
    `TransitionSystem`. If it has a single-root mode (`has_root_mode`), `self.single_root` says whether it is in that
    mode.
    """

    transitions = {}

    def __cinit__(self, bint single_root=False):
        cdef int kind, next_kind = CUSTOM
        definition = type(self)
        self.failures = {}
        self.name = _declared(definition, "name", str, "")
        self.single_root = single_root or _declared(definition, "single_root", bool, False)
        self.is_projective = _declared(definition, "is_projective", bool, True)
        self.reorders = _declared(definition, "reorders", bool, False)
        self.pair = _declared(definition, "pair", tuple, ("S0", "N0"))
        self.arcs = dict(definition.transitions)
        self.names = list(self.arcs)
        if definition is not PythonSystem and not 1 <= len(self.names) <= MOST_TRANSITIONS:
            raise UsageError(
                f"{definition.__name__} has {len(self.names)} transitions; 1 to {MOST_TRANSITIONS} are possible"
            )
        for name in self.names:
            kind = KINDS.get(name, next_kind)
            next_kind += name not in KINDS
            if kind >= MOVES:
                raise UsageError(
                    f"{definition.__name__} has more than {MOVES - CUSTOM} transitions with names of its own; use fewer"
                )
            for address in self.arcs[name] or ():
                if address[:1] not in ("S", "N") or not address[1:].isdigit():
                    raise UsageError(f"{definition.__name__}: {address!r} is not an address such as S0 or N0 ({name})")
            self.available[self.available_count] = kind
            self.available_count += 1

    @property
    def slots(self):
        """The addresses of the words that the network looks at. A subclass can declare others."""
        return TransitionSystem.slots if "N0" in self.pair else ArcStandard.slots

    def configuration(self, int n, stack=(), buffer=()):
        """Return a configuration over words 1..n with this stack and buffer. 0 is the root token, if there is one."""
        cdef Configuration c = Configuration(n)
        c.system = self.name
        c.single_root = self.single_root
        c.is_editable = True
        c.stack, c.buffer = stack, buffer
        if buffer_size(&c.c) and B(&c.c, buffer_size(&c.c) - 1) == ROOT:
            c.c.root_position = n + 1
        return c

    def initial(self, int n):
        """Return the initial configuration over words 1..n."""
        raise NotImplementedError(f"{type(self).__name__} does not define `initial`")

    def valid(self, c):
        """Return the names of the valid transitions."""
        raise NotImplementedError(f"{type(self).__name__} does not define `valid`")

    def apply(self, c, move, label=None):
        """Make a valid transition; the configuration changes in place."""
        raise NotImplementedError(f"{type(self).__name__} does not define `apply`")

    def is_final(self, c):
        """Return whether the configuration is final."""
        raise NotImplementedError(f"{type(self).__name__} does not define `is_final`")

    def is_repair(self, c, move):
        """Return whether a valid transition takes back an earlier decision."""
        return False

    def arc(self, Configuration c, move):
        """Return the head and the dependent of the arc that a valid transition builds; None if it builds none."""
        if move not in self.arcs:
            raise UsageError(f"{self.name} has no transition called {move!r}; there are {', '.join(self.names)}")
        if self.arcs[move] is None:
            return None
        head, dependent = (
            S(&c.c, int(address[1:])) if address[0] == "S" else B(&c.c, int(address[1:])) for address in self.arcs[move]
        )
        return (head, dependent) if head != NONE and dependent != NONE else None

    def max_transitions(self, int n):
        """Return the number of transitions after which a parse of n words counts as endless."""
        return default_limit(n)

    # ---- called by the native core -----------------------------------------------------------------------------------

    cdef object _call(self, const RawConfiguration* c, function, tuple arguments):
        """Call Python code with a configuration that it may look at. Errors are kept for `raise_failure`."""
        cdef Configuration lent = lend(self, c, False)
        try:
            return function(lent, *arguments)
        except BaseException as error:
            self.failures[get_ident()] = error
        finally:
            take_back(lent, NULL)
        return None

    cdef bint _has_failed(self) noexcept:
        return get_ident() in self.failures

    cdef int raise_failure(self) except -1:
        failure = self.failures.pop(get_ident(), None)
        if failure is not None:
            raise failure
        return 0

    cdef str _name(self, int kind):
        cdef int i
        for i in range(self.available_count):
            if self.available[i] == kind:
                return self.names[i]
        return None

    cdef str kind_name(self, int kind):
        return self._name(kind)

    cdef bint takes_label(self, int kind):
        return self.arcs[self._name(kind)] is not None

    cdef void start(self, RawConfiguration* c) noexcept with gil:
        cdef Configuration made
        cdef int root_label = c.root_label
        self.failures.pop(get_ident(), None)
        try:
            made = self.initial(c.n)
            self.require(made)
            if made.c.n != c.n:
                raise UsageError(f"{self.name}: `initial` was asked for {c.n} words and returned {made.c.n}")
            copy_into(c, &made.c)
            c.root_label = root_label
        except BaseException as error:
            self.failures[get_ident()] = error

    cdef int list_moves(self, const RawConfiguration* c, int* moves) noexcept with gil:
        cdef int i, count = 0
        valid = None if self._has_failed() else self._call(c, self._checked_valid, ())
        for i in range(self.available_count if valid is not None else 0):
            if self.names[i] in valid:
                moves[count] = self.available[i]
                count += 1
        return count

    def _checked_valid(self, c):
        valid = set(self.valid(c))
        if not valid.issubset(self.names):
            unknown = ", ".join(map(repr, sorted(valid.difference(self.names))))
            raise UsageError(f"{self.name}: `valid` names {unknown}; the transitions are {', '.join(self.names)}")
        return valid

    cdef bint is_permitted(self, const RawConfiguration* c, int move) noexcept with gil:
        return not self._has_failed() and self._name(move) in (self._call(c, self._checked_valid, ()) or ())

    cdef void apply_move(self, RawConfiguration* c, int move, int label) noexcept with gil:
        cdef Configuration lent = lend(self, c, True)
        try:
            self.apply(lent, self._name(move), None if label == NONE else label)
        except BaseException as error:
            self.failures[get_ident()] = error
        take_back(lent, c)

    cdef bint is_terminal(self, const RawConfiguration* c) noexcept with gil:
        """Return whether the configuration is final; after an error none is, so that `require_progress` raises."""
        return not self._has_failed() and bool(self._call(c, self.is_final, ()))

    cdef bint repairs(self, const RawConfiguration* c, int move) noexcept with gil:
        return bool(self._call(c, self.is_repair, (self._name(move),)))

    cdef int arc_head(self, const RawConfiguration* c, int move) noexcept with gil:
        arc = self._call(c, self.arc, (self._name(move),))
        return NONE if arc is None else arc[0]

    cdef int arc_child(self, const RawConfiguration* c, int move) noexcept with gil:
        arc = self._call(c, self.arc, (self._name(move),))
        return NONE if arc is None else arc[1]

    cdef long limit(self, int n) noexcept with gil:
        try:
            return self.max_transitions(n)
        except BaseException as error:
            self.failures[get_ident()] = error
        return 0


def _declared(definition, name, kind, default):
    """Return a class attribute that Python code declares, or the default if the class only inherits a native one."""
    value = getattr(definition, name, default)
    return value if isinstance(value, kind) else default
