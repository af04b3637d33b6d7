"""Read patterns in the language of Grew-match.

The reader goes through the text once, from left to right, so that an error knows its position.
"""

from __future__ import annotations

import re
from typing import Any, Literal

from gardenpath.queries.errors import PatternError
from gardenpath.queries.features import check_name
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
)
from gardenpath.queries.value_reader import ABSENT, ANY, ValueReader

LONGEST = 100_000
_BLOCK = re.compile(r"(pattern|without|with|global)\b(?=\s*(?:%[^\n]*\n\s*)*\{)")
_NAME = re.compile(r"[^\W\d]\w*\$?")
_FEATURE = re.compile(r"\w+(?:\[\w+\])?")
_FEATURE_OF = re.compile(r"(?:=|<>)\s*([^\W\d]\w*\$?)\s*\.\s*")
_PARTS = re.compile(r"!|\w+\s*(?:=|<>)")
_COMPARISON = re.compile(r"<=|>=|<|>|=")
_NUMBER = re.compile(r"[+-]?\d{1,9}\b")
_RELATION = re.compile(r"<<|>>|<>|><|<(?!-)|>")
_DISTANCE = re.compile(r"(length|delta)\s*(?=\()")
_STRUCTURES = ("projective", "cyclic", "tree", "forest")
_MIRRORED: dict[str, Literal["<", "<<"]] = {">": "<", ">>": "<<"}


def read_pattern(text: str) -> Request:
    """Read a pattern; a `PatternError` says what is wrong and where.

    Text without blocks is read as the clauses of one `pattern` block.
    """
    if len(text) > LONGEST:
        raise PatternError(f"the pattern is longer than {LONGEST:,} characters; shorten it", text[:100], 0)
    return _Reader(text).request()


class _Reader(ValueReader):
    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.result = Request(notes=self.notes)

    def request(self) -> Request:
        """Read all blocks, or the clauses of a single block without its name."""
        self.skip()
        if not _BLOCK.match(self.text, self.at):
            self._clauses(self.result.clauses, closed=False)
            return self.result
        while self.at < len(self.text):
            name = self.need(_BLOCK, "expected `pattern`, `without`, `with` or `global`, and `{`")[1]
            self.symbol("{")
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
            if not self.take(";") and not self._ends(closed, peek=True):
                self.fail(f"expected `;`{' or `}`' if closed else ''} after the clause; found {self.found()}")

    def _ends(self, closed: bool, *, peek: bool = False) -> bool:
        if not closed:
            return self.at >= len(self.text)
        return self.text.startswith("}", self.at) if peek else self.take("}")

    def _clause(self) -> Clause:
        begin = self.at
        if self.take("*"):
            return self._edge(None, None, begin)
        if found := self.match(_DISTANCE):
            return self._distance(found[1], begin)
        if self.text.startswith("[", self.at):
            self.fail("a node begins with a name, such as `X [upos=VERB]`")
        name = self.need(_NAME, f"expected a node, an edge or `*`; found {self.found()}")[0]
        if self.text.startswith("[", self.at):
            return NodeClause(name, self._alternatives(), begin)
        if self.take(":"):
            begin = self.at
            return self._edge(name, self._node(), begin)
        if self.text.startswith("-", self.at):
            return self._edge(None, name, begin)
        if self.take("."):
            return self._feature_clause(name, begin)
        return self._relation(name, begin)

    # Nodes

    def _alternatives(self) -> tuple[Alternative, ...]:
        """Read `[...]` or `[...]|[...]`."""
        found = [self._features()]
        while self.take("|"):
            found.append(self._features())
        return tuple(found)

    def _features(self) -> Alternative:
        self.symbol("[")
        tests = []
        while not self.take("]"):
            tests.append(self._feature_test())
            if not self.take(",") and not self.text.startswith("]", self.at):
                self.fail(f"expected `,` or `]` after the feature; found {self.found()}")
        return tuple(tests)

    def _feature_test(self, *, of_node: bool = True) -> FeatureTest:
        absent = self.take("!")
        begin = self.at
        name = self.need(_FEATURE, f"expected the name of a feature; found {self.found()}")[0]
        if of_node:
            self._check_feature(name, begin)
        if absent:
            return FeatureTest(name, ABSENT)
        if not self.text.startswith(("=", "<>"), self.at):
            if not of_node:
                self.fail(f"write `{name}=*` for a label with any value of `{name}`")
            return FeatureTest(name, ANY)
        return FeatureTest(name, self.value_test())

    # Edges

    def _edge(self, name: str | None, head: str | None, begin: int) -> EdgeClause | RelationClause:
        label: Alternative = ()
        if self.take("->>"):
            if name is not None or head is None:
                self.fail("`->>` is a path, not an edge; it needs two nodes and has no name")
            return RelationClause("->>", head, self._node(), begin)
        if not self.take("->"):
            if not self.take("-["):
                self.fail(f"expected `->`, `-[`...`]->` or `->>`; found {self.found()}")
            label = self._label()
            if not self.take("]->"):
                self.fail(f"expected `]->` after the label; found {self.found()}")
        dependent = None if self.take("*") else self._node()
        if head is None and dependent is None:
            self.fail("an edge needs at least one node; replace one `*` by a name")
        if name is not None and (head is None or dependent is None):
            self.fail("an edge with a name needs two nodes; replace `*` by a name")
        return EdgeClause(name, head, dependent, label, begin)

    def _label(self) -> Alternative:
        """Read conditions on the parts of a label, or a list of whole labels."""
        if self.take("^"):
            return (FeatureTest("label", self.values(True)),)
        if not _PARTS.match(self.text, self.at):
            return (FeatureTest("label", self.values(False)),)
        tests = [self._feature_test(of_node=False)]
        while self.take(","):
            tests.append(self._feature_test(of_node=False))
        return tuple(tests)

    # Constraints

    def _feature_clause(self, name: str, begin: int) -> Clause:
        subject = FeatureOf(name, self._feature_name(), begin)
        if subject.feature == "__id__":
            return self._id_order(name, begin)
        if not self.text.startswith(("=", "<>"), self.at):
            self.fail(f"expected `=` or `<>` after the feature; found {self.found()}")
        other = _FEATURE_OF.match(self.text, self.at)
        if not other:
            clause = ValueClause(subject, self.value_test(several=False))
            if self.text.startswith("|", self.at):
                self.fail(f"`|` is allowed only in node clauses; write {name} [{subject.feature}=...|...]")
            return clause
        negated = self.text[self.at] == "<"
        self.at = other.end()
        return ComparisonClause(subject, FeatureOf(other[1], self._feature_name(), other.start(1)), negated)

    def _feature_name(self) -> str:
        begin = self.at
        name = self.need(_FEATURE, f"expected the name of a feature; found {self.found()}")[0]
        self._check_feature(name, begin)
        return name

    def _id_order(self, name: str, begin: int) -> RelationClause:
        symbol = self.need(re.compile("[<>]"), "identifiers are compared with `<` or `>`")[0]
        other = self._node()
        self.symbol(".")
        if self._feature_name() != "__id__":
            self.fail("`__id__` can be compared only with another `__id__`")
        left, right = (name, other) if symbol == "<" else (other, name)
        return RelationClause("id", left, right, begin)

    def _relation(self, name: str, begin: int) -> RelationClause:
        hint = "`[`, `:`, `.`, `->`, `-[`, `<`, `<<`, `<>` or `><`"
        if self.text.startswith("<-", self.at):
            self.fail("edges are written from the head to the dependent: `X -> Y`")
        if self.text.startswith("=", self.at):
            self.fail(f"write `X [{name}=...]` for a node with this feature, and `X.{name} = ...` elsewhere")
        problem = f"expected {hint} after `{name}`; found {self.found()}; write `{name} []` for a word"
        symbol: Any = self.need(_RELATION, problem)[0]
        other = self._node()
        if symbol in _MIRRORED:
            return RelationClause(_MIRRORED[symbol], other, name, begin)
        return RelationClause(symbol, name, other, begin)

    def _distance(self, measure: Any, begin: int) -> DistanceClause:
        self.symbol("(")
        left = self._node()
        self.symbol(",")
        right = self._node()
        self.symbol(")")
        comparison = self.need(_COMPARISON, f"expected a comparison with a number; found {self.found()}")[0]
        number = int(self.need(_NUMBER, f"expected a whole number; found {self.found()}")[0])
        return DistanceClause(measure, left, right, comparison, number, begin)

    # Whole sentences

    def _globals(self) -> None:
        while not self.take("}"):
            self._global()
            if not self.take(";") and not self.text.startswith("}", self.at):
                self.fail(f"expected `;` or `}}` after the item; found {self.found()}")

    def _global(self) -> None:
        absent = self.take("!")
        begin = self.at
        name = self.need(re.compile(r"\w+"), f"expected `is_projective` or a comment's name; found {self.found()}")[0]
        structure = name.removeprefix("is_").removeprefix("not_")
        if absent:
            self.result.metadata.append(FeatureTest(name, ABSENT))
        elif self.text.startswith(("=", "<>"), self.at):
            self.result.metadata.append(FeatureTest(name, self.value_test()))
        elif name.startswith("is_") and structure in _STRUCTURES:
            self.result.structure.append(StructureTest(structure, name.startswith("is_not_")))  # type: ignore[arg-type]
        else:
            self.at = begin
            known = ", ".join(f"is_{each}" for each in _STRUCTURES)
            self.fail(f"`{name}` is unknown; use {known}, or is_not_..., or a comment such as text = /.../")

    # Characters

    def _node(self) -> str:
        return self.need(_NAME, f"expected the name of a node; found {self.found()}")[0]

    def _check_feature(self, name: str, begin: int) -> None:
        problem = check_name(name)
        if problem:
            self.at = begin
            self.fail(problem)
