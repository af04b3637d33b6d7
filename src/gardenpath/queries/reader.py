"""Read patterns in the language of Grew-match.

The reader goes through the text once, from left to right, so that an error knows its position.
"""

from __future__ import annotations

import re
from typing import Any, Literal, NoReturn

from gardenpath.queries.errors import PatternError
from gardenpath.queries.features import check_name
from gardenpath.queries.regex import Regex
from gardenpath.queries.regex_reader import plain_operators
from gardenpath.queries.syntax import (
    Alternative,
    Clause,
    ComparisonClause,
    DistanceClause,
    EdgeClause,
    FeatureOf,
    FeatureTest,
    NodeClause,
    RelationClause,
    Request,
    StructureTest,
    ValueClause,
    ValueTest,
)

LONGEST = 100_000
_SPACE = re.compile(r"(?:\s+|%[^\n]*)*")
_BLOCK = re.compile(r"(pattern|without|with|global)\b(?=\s*(?:%[^\n]*\n\s*)*\{)")
_NAME = re.compile(r"[^\W\d]\w*\$?")
_FEATURE = re.compile(r"\w+(?:\[\w+\])?")
_WORD = re.compile(r"[^\s\[\]{}()\",;|=<>!*/%^]+")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_BASIC = re.compile(r're"((?:[^"\\]|\\.)*)"', re.DOTALL)
_SLASHED = re.compile(r"/((?:[^/\\\n]|\\.)*)/(i?)")
_PARTS = re.compile(r"!|\w+\s*(?:=|<>)")
_COMPARISON = re.compile(r"<=|>=|<|>|=")
_NUMBER = re.compile(r"[+-]?\d{1,9}\b")
_RELATION = re.compile(r"<<|>>|<>|><|<(?!-)|>")
_DISTANCE = re.compile(r"(length|delta)\s*(?=\()")
_STRUCTURES = ("projective", "cyclic", "tree", "forest")
_MIRRORED: dict[str, Literal["<", "<<"]] = {">": "<", ">>": "<<"}
ANY = ValueTest(defined=True)
ABSENT = ValueTest(defined=False)


def read_pattern(text: str) -> Request:
    """Read a pattern; a `PatternError` says what is wrong and where.

    Text without blocks is read as the clauses of one `pattern` block.
    """
    if len(text) > LONGEST:
        raise PatternError(f"the pattern is longer than {LONGEST:,} characters; shorten it", text[:100], 0)
    return _Reader(text).request()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.result = Request()

    def request(self) -> Request:
        """Read all blocks, or the clauses of a single block without its name."""
        self._skip()
        if not _BLOCK.match(self.text, self.at):
            self._clauses(self.result.clauses, closed=False)
            return self.result
        while self.at < len(self.text):
            name = self._need(_BLOCK, "expected `pattern`, `without`, `with` or `global`, and `{`")[1]
            self._symbol("{")
            if name == "global":
                self._globals()
            elif name == "pattern":
                self._clauses(self.result.clauses)
            else:
                self.result.filters.append((name == "with", []))
                self._clauses(self.result.filters[-1][1])
        return self.result

    def _clauses(self, clauses: list[Clause], *, closed: bool = True) -> None:
        """Read clauses that are separated by `;`, up to `}` or to the end of the text."""
        while not self._ends(closed):
            clauses.append(self._clause())
            if not self._try(";") and not self._ends(closed, peek=True):
                self._fail(f"expected `;`{' or `}`' if closed else ''} after the clause; found {self._found()}")

    def _ends(self, closed: bool, *, peek: bool = False) -> bool:
        if not closed:
            return self.at >= len(self.text)
        return self.text.startswith("}", self.at) if peek else self._try("}")

    def _clause(self) -> Clause:
        begin = self.at
        if self._try("*"):
            return self._edge(None, None, begin)
        if found := self._match(_DISTANCE):
            return self._distance(found[1], begin)
        name = self._need(_NAME, f"expected a node, an edge or `*`; found {self._found()}")[0]
        if self.text.startswith("[", self.at):
            return NodeClause(name, self._alternatives(), begin)
        if self._try(":"):
            begin = self.at
            return self._edge(name, self._node(), begin)
        if self.text.startswith("-", self.at):
            return self._edge(None, name, begin)
        if self._try("."):
            return self._feature_clause(name, begin)
        return self._relation(name, begin)

    # Nodes

    def _alternatives(self) -> tuple[Alternative, ...]:
        """Read `[...]` or `[...]|[...]`."""
        found = [self._features()]
        while self._try("|"):
            found.append(self._features())
        return tuple(found)

    def _features(self) -> Alternative:
        self._symbol("[")
        tests = []
        while not self._try("]"):
            tests.append(self._feature_test())
            if not self._try(",") and not self.text.startswith("]", self.at):
                self._fail(f"expected `,` or `]` after the feature; found {self._found()}")
        return tuple(tests)

    def _feature_test(self, *, of_node: bool = True) -> FeatureTest:
        absent = self._try("!")
        begin = self.at
        name = self._need(_FEATURE, f"expected the name of a feature; found {self._found()}")[0]
        if of_node:
            self._check_feature(name, begin)
        if absent:
            return FeatureTest(name, ABSENT)
        if not self.text.startswith(("=", "<>"), self.at):
            if not of_node:
                self._fail(f"write `{name}=*` for a label with any value of `{name}`")
            return FeatureTest(name, ANY)
        return FeatureTest(name, self._value_test())

    def _value_test(self, *, several: bool = True) -> ValueTest:
        """Read `=` or `<>` and values that are separated by `|`, or `= *`."""
        negated = not self._try("=")
        if negated:
            self._symbol("<>")
        elif self._try("*"):
            return ANY
        return self._values(negated, several)

    def _values(self, negated: bool, several: bool = True) -> ValueTest:
        constants, expressions = set(), []
        while True:
            value = self._value()
            if isinstance(value, str):
                constants.add(value)
            else:
                expressions.append(value)
            if not several or not self._try("|"):
                return ValueTest(frozenset(constants), tuple(expressions), negated)

    def _value(self) -> str | Regex:
        """Read a word, a string in quotes, or a regular expression."""
        begin = self.at
        if found := self._match(_BASIC):
            return self._regex(found[1], begin + 3, basic=True)
        if found := self._match(_SLASHED):
            return self._regex(found[1], begin + 1, ignore_case=bool(found[2]))
        if found := self._match(_STRING):
            return re.sub(r'\\(["\\])', r"\1", found[1])
        if self.text.startswith(('"', 're"', "/"), self.at):
            self._fail("the text that begins here is not closed")
        if found := self._match(_WORD):
            return found[0]
        self._fail(f"expected a value; found {self._found()}; put values with special characters in quotes")

    def _regex(self, source: str, begin: int, *, basic: bool = False, ignore_case: bool = False) -> Regex:
        try:
            regex = Regex(source, basic=basic, ignore_case=ignore_case)
        except ValueError as error:
            self.at = begin + getattr(error, "position", 0)
            self._fail(str(error))
        if basic and plain_operators(source):
            found = " and ".join(f"`{each}`" for each in sorted(plain_operators(source)))
            self.result.notes.append(
                f're"{source}": {found} match themselves, as in Grew; '
                f"escape them with a backslash for groups and alternatives, or write /{source}/"
            )
        return regex

    # Edges

    def _edge(self, name: str | None, head: str | None, begin: int) -> EdgeClause | RelationClause:
        label: Alternative = ()
        if self._try("->>"):
            if name is not None or head is None:
                self._fail("`->>` is a path, not an edge; it needs two nodes and has no name")
            return RelationClause("->>", head, self._node(), begin)
        if not self._try("->"):
            if not self._try("-["):
                self._fail(f"expected `->`, `-[`...`]->` or `->>`; found {self._found()}")
            label = self._label()
            if not self._try("]->"):
                self._fail(f"expected `]->` after the label; found {self._found()}")
        dependent = None if self._try("*") else self._node()
        if head is None and dependent is None:
            self._fail("an edge needs at least one node; replace one `*` by a name")
        if name is not None and (head is None or dependent is None):
            self._fail("an edge with a name needs two nodes; replace `*` by a name")
        return EdgeClause(name, head, dependent, label, begin)

    def _label(self) -> Alternative:
        """Read conditions on the parts of a label, or a list of whole labels."""
        if self._try("^"):
            return (FeatureTest("label", self._values(True)),)
        if not _PARTS.match(self.text, self.at):
            return (FeatureTest("label", self._values(False)),)
        tests = [self._feature_test(of_node=False)]
        while self._try(","):
            tests.append(self._feature_test(of_node=False))
        return tuple(tests)

    # Constraints

    def _feature_clause(self, name: str, begin: int) -> Clause:
        subject = FeatureOf(name, self._feature_name(), begin)
        if subject.feature == "__id__":
            return self._id_order(name, begin)
        if not self.text.startswith(("=", "<>"), self.at):
            self._fail(f"expected `=` or `<>` after the feature; found {self._found()}")
        after = _SPACE.match(self.text, self.at + (1 if self.text[self.at] == "=" else 2))
        other = re.compile(r"([^\W\d]\w*\$?)\s*\.\s*").match(self.text, after.end() if after else self.at)
        if not other:
            clause = ValueClause(subject, self._value_test(several=False))
            if self.text.startswith("|", self.at):
                self._fail(f"`|` is allowed only in node clauses; write {name} [{subject.feature}=...|...]")
            return clause
        negated = self.text[self.at] == "<"
        self.at = other.end()
        return ComparisonClause(subject, FeatureOf(other[1], self._feature_name(), other.start()), negated)

    def _feature_name(self) -> str:
        begin = self.at
        name = self._need(_FEATURE, f"expected the name of a feature; found {self._found()}")[0]
        self._check_feature(name, begin)
        return name

    def _id_order(self, name: str, begin: int) -> RelationClause:
        symbol = self._need(re.compile("[<>]"), "identifiers are compared with `<` or `>`")[0]
        other = self._node()
        self._symbol(".")
        if self._feature_name() != "__id__":
            self._fail("`__id__` can be compared only with another `__id__`")
        left, right = (name, other) if symbol == "<" else (other, name)
        return RelationClause("id", left, right, begin)

    def _relation(self, name: str, begin: int) -> RelationClause:
        hint = "`[`, `:`, `.`, `->`, `-[`, `<`, `<<`, `<>` or `><`"
        if self.text.startswith("<-", self.at):
            self._fail("edges are written from the head to the dependent: `X -> Y`")
        symbol: Any = self._need(_RELATION, f"expected {hint} after `{name}`; found {self._found()}")[0]
        other = self._node()
        if symbol in _MIRRORED:
            return RelationClause(_MIRRORED[symbol], other, name, begin)
        return RelationClause(symbol, name, other, begin)

    def _distance(self, measure: Any, begin: int) -> DistanceClause:
        self._symbol("(")
        left = self._node()
        self._symbol(",")
        right = self._node()
        self._symbol(")")
        comparison = self._need(_COMPARISON, f"expected a comparison with a number; found {self._found()}")[0]
        number = int(self._need(_NUMBER, f"expected a whole number; found {self._found()}")[0])
        return DistanceClause(measure, left, right, comparison, number, begin)

    # Whole sentences

    def _globals(self) -> None:
        while not self._try("}"):
            self._global()
            if not self._try(";") and not self.text.startswith("}", self.at):
                self._fail(f"expected `;` or `}}` after the item; found {self._found()}")

    def _global(self) -> None:
        absent = self._try("!")
        begin = self.at
        name = self._need(re.compile(r"\w+"), f"expected `is_projective` or a comment's name; found {self._found()}")[0]
        structure = name.removeprefix("is_").removeprefix("not_")
        if absent:
            self.result.metadata.append(FeatureTest(name, ABSENT))
        elif self.text.startswith(("=", "<>"), self.at):
            self.result.metadata.append(FeatureTest(name, self._value_test()))
        elif name.startswith("is_") and structure in _STRUCTURES:
            self.result.structure.append(StructureTest(structure, name.startswith("is_not_")))  # type: ignore[arg-type]
        else:
            self.at = begin
            known = ", ".join(f"is_{each}" for each in _STRUCTURES)
            self._fail(f"`{name}` is unknown; use {known}, or is_not_..., or a comment such as text = /.../")

    # Characters

    def _node(self) -> str:
        return self._need(_NAME, f"expected the name of a node; found {self._found()}")[0]

    def _check_feature(self, name: str, begin: int) -> None:
        problem = check_name(name)
        if problem:
            self.at = begin
            self._fail(problem)

    def _skip(self) -> None:
        space = _SPACE.match(self.text, self.at)
        self.at = space.end() if space else self.at

    def _match(self, expression: re.Pattern[str]) -> re.Match[str] | None:
        """Read what an expression matches, and the space after it."""
        found = expression.match(self.text, self.at)
        if found:
            self.at = found.end()
            self._skip()
        return found

    def _need(self, expression: re.Pattern[str], problem: str) -> re.Match[str]:
        found = self._match(expression)
        if not found:
            self._fail(problem)
        return found

    def _try(self, symbol: str) -> bool:
        """Read a symbol if it is next."""
        found = self.text.startswith(symbol, self.at)
        if found:
            self.at += len(symbol)
            self._skip()
        return found

    def _symbol(self, symbol: str) -> None:
        if not self._try(symbol):
            self._fail(f"expected `{symbol}`; found {self._found()}")

    def _found(self) -> str:
        rest = self.text[self.at : self.at + 20].split("\n")[0]
        word = re.match(r"\w+|[^\w\s]+", rest)
        return f"`{word[0]}`" if word else "the end of the pattern"

    def _fail(self, problem: str) -> NoReturn:
        raise PatternError(problem, self.text, min(self.at, len(self.text)))
