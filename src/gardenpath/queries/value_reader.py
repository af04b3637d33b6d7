"""Read the values in a pattern: words, strings and regular expressions."""

from __future__ import annotations

import re

from gardenpath.queries.regex import Regex
from gardenpath.queries.regex_reader import plain_operators
from gardenpath.queries.scanner import Scanner
from gardenpath.queries.syntax import ValueTest

_WORD = re.compile(r"[^\s\[\]{}()\",;|=<>!*/%^]+")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_BASIC = re.compile(r're"((?:[^"\\]|\\.)*)"', re.DOTALL)
_SLASHED = re.compile(r"/((?:[^/\\\n]|\\.)*)/(i?)")
ANY = ValueTest(defined=True)
ABSENT = ValueTest(defined=False)


class ValueReader(Scanner):
    """Reads conditions on values. `notes` are warnings about them."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.notes: list[str] = []

    def value_test(self, *, several: bool = True) -> ValueTest:
        """Read `=` or `<>` and values that are separated by `|`, or `= *`."""
        negated = not self.take("=")
        if negated:
            self.symbol("<>")
        elif self.take("*"):
            return ANY
        return self.values(negated, several)

    def values(self, negated: bool, several: bool = True) -> ValueTest:
        """Read values that are separated by `|`, or one value."""
        constants, expressions = set(), []
        while True:
            value = self._value()
            if isinstance(value, str):
                constants.add(value)
            else:
                expressions.append(value)
            if not several or not self.take("|"):
                return ValueTest(frozenset(constants), tuple(expressions), negated)

    def _value(self) -> str | Regex:
        """Read a word, a string in quotes, or a regular expression."""
        begin = self.at
        if found := self.match(_BASIC):
            return self._regex(found[1], begin + 3, basic=True)
        if found := self.match(_SLASHED):
            return self._regex(found[1], begin + 1, ignore_case=bool(found[2]))
        if found := self.match(_STRING):
            return re.sub(r'\\(["\\])', r"\1", found[1])
        if self.text.startswith(('"', 're"', "/"), self.at):
            self.fail("the text that begins here is not closed")
        if found := self.match(_WORD):
            return found[0]
        self.fail(f"expected a value; found {self.found()}; put values with special characters in quotes")

    def _regex(self, source: str, begin: int, *, basic: bool = False, ignore_case: bool = False) -> Regex:
        try:
            regex = Regex(source, basic=basic, ignore_case=ignore_case)
        except ValueError as error:
            self.at = begin + getattr(error, "position", 0)
            self.fail(str(error))
        if basic and plain_operators(source):
            found = " and ".join(f"`{each}`" for each in sorted(plain_operators(source)))
            self.notes.append(
                f're"{source}": {found} match themselves, as in Grew; '
                f"escape them with a backslash for groups and alternatives, or write /{source}/"
            )
        return regex
