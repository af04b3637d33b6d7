"""Go through the text of a pattern from left to right."""

from __future__ import annotations

import re
from typing import NoReturn

from gardenpath.queries.errors import PatternError

_SPACE = re.compile(r"(?:\s+|%[^\n]*)*")


class Scanner:
    """A text and a position in it. Spaces and comments after each part are skipped."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def skip(self) -> None:
        """Skip spaces and comments."""
        space = _SPACE.match(self.text, self.at)
        self.at = space.end() if space else self.at

    def match(self, expression: re.Pattern[str]) -> re.Match[str] | None:
        """Read what an expression matches, and the space after it."""
        found = expression.match(self.text, self.at)
        if found:
            self.at = found.end()
            self.skip()
        return found

    def need(self, expression: re.Pattern[str], problem: str) -> re.Match[str]:
        """Read what an expression matches, or fail."""
        found = self.match(expression)
        if not found:
            self.fail(problem)
        return found

    def take(self, symbol: str) -> bool:
        """Read a symbol if it is next."""
        found = self.text.startswith(symbol, self.at)
        if found:
            self.at += len(symbol)
            self.skip()
        return found

    def symbol(self, symbol: str) -> None:
        """Read a symbol, or fail."""
        if not self.take(symbol):
            self.fail(f"expected `{symbol}`; found {self.found()}")

    def found(self) -> str:
        """Return what is next, for messages."""
        rest = self.text[self.at : self.at + 20].split("\n")[0]
        word = re.match(r"\w+|[^\w\s]+", rest)
        return f"`{word[0]}`" if word else "the end of the pattern"

    def fail(self, problem: str) -> NoReturn:
        """Raise an error at the current position."""
        raise PatternError(problem, self.text, min(self.at, len(self.text)))
