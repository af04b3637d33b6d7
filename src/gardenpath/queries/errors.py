"""The error for a pattern that cannot be read, with the position of the mistake."""

from __future__ import annotations

from gardenpath.errors import UsageError


class PatternError(UsageError):
    """An error in a pattern: the message, and where it is (`line` and `column`, from 1)."""

    def __init__(self, problem: str, text: str, position: int) -> None:
        before = text[:position]
        self.line, self.column = before.count("\n") + 1, position - (before.rfind("\n") + 1) + 1
        shown = text.split("\n")[self.line - 1].replace("\t", " ")
        place = f"pattern, line {self.line}, column {self.column}"
        super().__init__(f"{place}: {problem}\n  {shown}\n  {' ' * (self.column - 1)}^")
