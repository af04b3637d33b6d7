"""Oracles written in plain Python: a function that returns the cost of each valid transition."""

from threading import get_ident

from libc.stdint cimport int8_t

from gardenpath.core.configuration cimport Configuration as RawConfiguration, NONE
from gardenpath.core.gold cimport Gold
from gardenpath.oracles.base cimport ANY, GOLD_FIRST, Oracle
from gardenpath.systems.base cimport Configuration, TransitionSystem, lend, require_progress, take_back

from gardenpath.errors import UsageError

DEAR = 1 << 24             # the cost of a transition while an error waits to be raised


cdef class PythonOracle(Oracle):
    """The base class of oracles in plain Python, for systems in Python or Cython.

    A subclass defines `costs(c, gold)`: a dictionary from the name of each valid transition to the number of gold arcs
    that it makes unreachable. `gold[0]` is the gold head of word 1. If these costs are exact, so is the loss that
    follows from them. A subclass may also define `loss(c, gold)`, and `static(c, gold)`, the name of the one transition
    that the static oracle makes.
    """

    cdef dict failures       # by thread: the error that its native code could not pass on

    def __cinit__(self, *_):
        self.failures = {}

    def costs(self, c, gold):
        """Return the cost of each valid transition."""
        raise NotImplementedError(f"{type(self).__name__} does not define `costs`")

    def training_costs(self, c, gold):
        """Return the costs that training compares: the same."""
        return self.costs(c, gold)

    def loss(self, Configuration c, gold):
        """Return the number of wrong heads at the end of the way along the cheapest transitions."""
        cdef TransitionSystem system = self.system
        cdef long made = 0, limit = system.limit(c.c.n)
        c = c.copy()
        while not system.is_final(c):
            costs = self.costs(c, gold)
            require_progress(system, &c.c, <int>len(costs), made, limit)
            system.apply(c, min(costs, key=costs.get))
            made += 1
        return sum(head != right for head, right in zip(c.heads, gold))

    def static(self, Configuration c, gold):
        """Return a cheapest transition that builds a gold arc or, if there is none, the first cheapest one."""
        costs = self._checked(c, gold)
        if not costs:
            self.system.stop(&c.c, 0, 0)
        cheapest = [name for name in self.system.named(c) if costs[name] == min(costs.values())]
        for name in cheapest:
            arc = self.system.arc(c, name)
            if arc is not None and gold[arc[1] - 1] == arc[0]:
                return name
        return cheapest[0]

    def _checked(self, Configuration c, gold):
        costs = self.costs(c, gold)
        missing = sorted(name for name in self.system.named(c) if name not in costs)
        if missing:
            raise UsageError(f"{type(self).__name__}: `costs` lacks {', '.join(missing)}, valid in {c!r}")
        return costs

    # ---- called by the native core -----------------------------------------------------------------------------------

    cdef object _call(self, const RawConfiguration* c, const Gold* gold, function):
        """Call Python code with a configuration and the gold heads. Errors are kept for `raise_failure`."""
        cdef Configuration lent = lend(self.system, c, False)
        try:
            return function(lent, [gold.heads[word] for word in range(1, gold.n + 1)])
        except BaseException as error:
            self.failures[get_ident()] = error
        finally:
            take_back(lent, NULL)
        return None

    cdef int raise_failure(self) except -1:
        failure = self.failures.pop(get_ident(), None)
        if failure is not None:
            raise failure
        return self.system.raise_failure()

    cdef int loss_of(self, const RawConfiguration* c, const Gold* gold) noexcept with gil:
        loss = self._call(c, gold, self.loss)
        return DEAR if loss is None else loss

    cdef int cost_of(self, const RawConfiguration* c, const Gold* gold, int move) noexcept with gil:
        costs = self._call(c, gold, self._checked)
        return DEAR if costs is None else costs[self.system.name_of(c, move)]

    cdef int static_move(self, const RawConfiguration* c, const Gold* gold) noexcept with gil:
        name = self._call(c, gold, self.static)
        return NONE if name is None else self._number(c, name)

    cdef int _number(self, const RawConfiguration* c, name) noexcept:
        """Return the number of a valid transition, NONE if there is none of that name."""
        cdef Configuration lent = lend(self.system, c, False)
        cdef int number = NONE
        try:
            number = self.system.named(lent).get(name, NONE)
        except BaseException as error:
            self.failures[get_ident()] = error
        take_back(lent, NULL)
        return number

    cdef int accept(
        self, const RawConfiguration* c, const Gold* gold, const int* moves, int count, int8_t* accepted, int loss
    ) noexcept with gil:
        """Accept the cheapest transitions: unless any will do, those of them that repair nothing, if there are such."""
        cdef int i
        cdef bint any_plain = False
        if self.is_static:
            self.accept_static(c, gold, moves, count, accepted)
            return loss
        costs = self._call(c, gold, self._checked)
        for i in range(count):
            accepted[i] = costs is not None and costs[self.system.name_of(c, moves[i])] == min(costs.values())
            any_plain = any_plain or (accepted[i] and not self.system.repairs(c, moves[i]))
        if self.preference != ANY and any_plain:
            for i in range(count):
                accepted[i] = accepted[i] and not self.system.repairs(c, moves[i])
        if self.preference == GOLD_FIRST:
            self.prefer_gold_arcs(c, gold, moves, count, accepted)
        return loss
