"""Read regular expressions, in the notation of PCRE or in the basic one of OCaml's `Str`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any

Node = tuple[str, Any]       # ("character", test), ("assert", name), ("sequence" | "either", parts), ("repeat", ...)
Test = Callable[[str], bool]
MOST_REPEATED = 1_000
MOST_NESTED = 50
_COUNTED = re.compile(r"\{(?=,?\d)(\d*)(,?)(\d*)\}")
_CLASSES: dict[str, Test] = {
    "d": str.isdecimal, "w": lambda character: character.isalnum() or character == "_", "s": str.isspace,
}
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r"}
_ASSERTIONS = {"b": "boundary", "B": "no boundary"}


class RegexSyntaxError(ValueError):
    """An error in a regular expression, with its position in it."""

    def __init__(self, problem: str, position: int) -> None:
        super().__init__(problem)
        self.position = position


def read_regex(source: str, *, basic: bool) -> Node:
    """Read an expression. In the basic notation `\\(`, `\\)` and `\\|` are operators, and there is no `{m,n}`."""
    reader = _Reader(source, basic)
    node = reader.either()
    if reader.at < len(source):
        raise RegexSyntaxError("this bracket closes no group; remove it or escape it", reader.at)
    return node


def plain_operators(source: str) -> set[str]:
    """Return the characters of a basic expression that are operators only in PCRE."""
    outside = re.sub(r"\\.|\[\^?\]?[^\]]*\]", "", source, flags=re.DOTALL)
    return set(outside) & set("(|)")


class _Reader:
    def __init__(self, source: str, basic: bool) -> None:
        self.source, self.basic, self.at, self.depth = source, basic, 0, 0

    def either(self) -> Node:
        """Read alternatives."""
        parts = [self.sequence()]
        while self._operator("|"):
            parts.append(self.sequence())
        return parts[0] if len(parts) == 1 else ("either", parts)

    def sequence(self) -> Node:
        """Read parts that follow each other."""
        parts: list[Node] = []
        while self.at < len(self.source) and not self._is_operator("|") and not self._is_operator(")"):
            parts.append(self.repeated())
        return "sequence", parts

    def repeated(self) -> Node:
        """Read a part and its repetitions. Lazy repetitions mean the same if the whole value must match."""
        begin = self.at
        part = self.atom()
        bounds = self._bounds()
        if bounds is None:
            return part
        if max(bounds[0], bounds[1] or 0) > MOST_REPEATED:
            raise RegexSyntaxError(f"a part can be repeated {MOST_REPEATED} times at most", begin)
        if not self.basic and self._char() == "?":
            self.at += 1
        if self._char() in ("*", "+", "?"):
            raise RegexSyntaxError(f"`{self._char()}` repeats a repetition; put the part into a group", self.at)
        return "repeat", (part, *bounds)

    def atom(self) -> Node:
        """Read a character, a class, a group or an assertion."""
        begin, character = self.at, self.source[self.at]
        if self._operator("("):
            return self._group(begin)
        self.at += 1
        if character == "\\":
            return self._escape(begin)
        if character == "[":
            return "character", self._class(begin)
        if character == ".":
            return "character", lambda other: other != "\n"
        if character in "^$":
            return "assert", "start" if character == "^" else "end"
        if character in "*+?" and not self.basic:
            raise RegexSyntaxError(f"there is nothing to repeat before `{character}`; escape it to match itself", begin)
        return "character", character.__eq__

    def _group(self, begin: int) -> Node:
        if not self.basic and self.source.startswith("?:", self.at):
            self.at += 2
        elif not self.basic and self._char() == "?":
            raise RegexSyntaxError("only plain groups `(...)` and `(?:...)` are supported", begin)
        self.depth += 1
        if self.depth > MOST_NESTED:
            raise RegexSyntaxError(f"groups can be nested {MOST_NESTED} times at most", begin)
        node = self.either()
        self.depth -= 1
        if not self._operator(")"):
            raise RegexSyntaxError("this group is not closed", begin)
        return node

    def _escape(self, begin: int) -> Node:
        character = self._char()
        self.at += 1
        if not character:
            raise RegexSyntaxError("the backslash at the end escapes nothing; write two of them", begin)
        if character in _ASSERTIONS and not (self.basic and character == "B"):
            return "assert", _ASSERTIONS[character]
        if character.isdigit():
            raise RegexSyntaxError("references to groups are not supported", begin)
        return "character", self._escaped(character, begin)

    def _escaped(self, character: str, begin: int) -> Test:
        if self.basic:
            return character.__eq__
        if character.lower() in _CLASSES:
            test = _CLASSES[character.lower()]
            return test if character.islower() else _other_than(test)
        if character in "pP":
            return self._category(character == "P", begin)
        if character.isalpha() and character not in _CONTROLS:
            raise RegexSyntaxError(f"the escape `\\{character}` is not supported", begin)
        return _CONTROLS.get(character, character).__eq__

    def _category(self, negated: bool, begin: int) -> Test:
        """Read a Unicode category such as `\\p{Lu}` or `\\pL`."""
        found = re.compile(r"\{([A-Z][a-z]?)\}|([A-Z])").match(self.source, self.at)
        if not found:
            raise RegexSyntaxError("a Unicode category is written `\\p{Lu}` or `\\p{L}`", begin)
        self.at = found.end()
        category = found[1] or found[2]

        def test(character: str) -> bool:
            return unicodedata.category(character).startswith(category)

        return _other_than(test) if negated else test

    def _class(self, begin: int) -> Test:
        negated = self._char() == "^"
        self.at += negated
        tests: list[Test] = []
        while self._char() != "]" or not tests:
            if self.at >= len(self.source):
                raise RegexSyntaxError("this character class is not closed; add `]`", begin)
            tests.append(self._class_item())
        self.at += 1

        def test(character: str) -> bool:
            return any(each(character) for each in tests)

        return _other_than(test) if negated else test

    def _class_item(self) -> Test:
        begin, first = self.at, self.source[self.at]
        self.at += 1
        if first == "\\" and not self.basic and self._char():
            first = self.source[self.at]
            self.at += 1
            if first.isalpha() and first not in _CONTROLS:
                return self._escaped(first, begin)
            first = _CONTROLS.get(first, first)
        if self._char() != "-" or self.source[self.at + 1 : self.at + 2] in ("", "]"):
            return first.__eq__
        last = self.source[self.at + 1]
        self.at += 2
        if last == "\\" and not self.basic and self._char():
            last = self.source[self.at]
            self.at += 1
        if last < first:
            raise RegexSyntaxError(f"the range `{first}-{last}` is empty; exchange its ends", begin)
        return lambda character: first <= character <= last

    def _bounds(self) -> tuple[int, int | None] | None:
        character = self._char()
        if character and character in "*+?":
            self.at += 1
            return int(character == "+"), 1 if character == "?" else None
        counted = None if self.basic else _COUNTED.match(self.source, self.at)
        if not counted:
            return None
        least = int(counted[1][:9] or 0)
        most = least if not counted[2] else int(counted[3][:9]) if counted[3] else None
        if most is not None and most < least:
            raise RegexSyntaxError("the second number is smaller than the first one; exchange them", self.at)
        self.at = counted.end()
        return least, most

    def _char(self) -> str:
        return self.source[self.at : self.at + 1]

    def _is_operator(self, character: str) -> bool:
        return self.source.startswith(f"\\{character}" if self.basic else character, self.at)

    def _operator(self, character: str) -> bool:
        """Skip an operator, if it is next."""
        found = self._is_operator(character)
        if found:
            self.at += 2 if self.basic else 1
        return found


def _other_than(test: Test) -> Test:
    return lambda character: not test(character)
