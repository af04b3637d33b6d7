"""Regular expressions in linear time: a finite automaton whose states are made when they are first needed.

Python's `re` may need exponential time, which a server cannot allow. An expression must match the whole value. There
are two notations: that of PCRE and Python for `/.../`, and that of OCaml's `Str` for `re"..."`, as in Grew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from gardenpath.queries.regex_reader import Node, read_regex

Watch = Callable[[], None]       # is called from time to time, and raises an error to stop the work
MOST_STATES = 1_000
MOST_CACHED = 50_000             # transitions
PACE = 64                        # new transitions between two calls of the watch
START, WORD, OTHER, END = range(4)


class TooComplexError(ValueError):
    """Raised for an expression with too many states, because of repetitions such as `(a{100}){100}`."""


class _State:
    """A state of the deterministic automaton: states of the expression, and what kind of character came before."""

    __slots__ = ("members", "before", "following", "accepts")

    def __init__(self, members: frozenset[int], before: int) -> None:
        self.members, self.before = members, before
        self.following: dict[str, _State] = {}
        self.accepts: bool | None = None


class Regex:
    """A regular expression that matches whole values."""

    def __init__(self, source: str, *, ignore_case: bool = False, basic: bool = False) -> None:
        """Read an expression. `basic` is the notation of `re"..."`, in which `\\(`, `\\)` and `\\|` are operators.

        A `ValueError` (a `RegexSyntaxError` with the position) says what is wrong with it.
        """
        self.source, self.ignore_case = source, ignore_case
        self._states: list[tuple[str, Any, int, int]] = [("accept", None, -1, -1)]
        self._entry = self._build(read_regex(source, basic=basic), 0)
        self._forget()

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def matches(self, text: str, watch: Watch | None = None) -> bool:
        """Return whether the expression matches the whole text."""
        state = self._start
        for character in text:
            following = state.following.get(character)
            if following is None:
                following = self._follow(state, character, watch)
            if not following.members:
                return False
            state = following
        if state.accepts is None:
            state.accepts = 0 in self._closure(state.members, state.before, END)
        return state.accepts

    def _forget(self) -> None:
        self._cache: dict[tuple[frozenset[int], int], _State] = {}
        self._cached = 0
        self._start = self._state(frozenset((self._entry,)), START)

    def _state(self, members: frozenset[int], before: int) -> _State:
        return self._cache.setdefault((members, before), _State(members, before))

    def _follow(self, state: _State, character: str, watch: Watch | None) -> _State:
        """Make the transition from a state over a character."""
        self._cached += 1
        if watch is not None and self._cached % PACE == 0:
            watch()
        if self._cached > MOST_CACHED:
            self._forget()
        kind = WORD if character.isalnum() or character == "_" else OTHER
        forms = {character, character.lower(), character.upper()} if self.ignore_case else (character,)
        members = frozenset(
            following for number in self._closure(state.members, state.before, kind)
            for name, test, following, _ in (self._states[number],)
            if name == "character" and any(map(test, forms))
        )
        state.following[character] = found = self._state(members, kind)
        return found

    def _closure(self, members: Iterable[int], before: int, after: int) -> set[int]:
        """Return the states that can be reached without reading a character, between two kinds of characters."""
        waiting = list(members)
        reached = set(waiting)
        while waiting:
            name, argument, first, second = self._states[waiting.pop()]
            if name == "split" or (name == "assert" and _holds(argument, before, after)):
                new = {first, second} - reached - {-1}
                reached |= new
                waiting.extend(new)
        return reached

    def _add(self, name: str, argument: Any, first: int, second: int = -1) -> int:
        if len(self._states) >= MOST_STATES:
            raise TooComplexError(f"the regular expression needs more than {MOST_STATES} states; use fewer repetitions")
        self._states.append((name, argument, first, second))
        return len(self._states) - 1

    def _build(self, node: Node, then: int) -> int:
        """Add the states of a part of the expression that is followed by the state `then`; return its first state."""
        kind, content = node
        if kind in ("character", "assert"):
            return self._add(kind, content, then)
        if kind == "sequence":
            for part in reversed(content):
                then = self._build(part, then)
            return then
        if kind == "either":
            first, *others = [self._build(part, then) for part in content]
            for other in others:
                first = self._add("split", None, first, other)
            return first
        part, least, most = content
        if most is None:
            loop = self._add("split", None, then)
            self._states[loop] = ("split", None, then, self._build(part, loop))
            then = loop
        for _ in range(0 if most is None else most - least):
            then = self._add("split", None, self._build(part, then), then)
        for _ in range(least):
            then = self._build(part, then)
        return then


def _holds(assertion: str, before: int, after: int) -> bool:
    """Return whether an assertion holds between two kinds of characters."""
    if assertion == "start":
        return before == START
    if assertion == "end":
        return after == END
    return ((before == WORD) != (after == WORD)) is (assertion == "boundary")
