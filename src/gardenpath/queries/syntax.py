"""The parts of a pattern, as `reader` finds them in its text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from gardenpath.queries.regex import Regex, Watch

ANCHOR = "__0__"         # form of the node at position 0, the head of the root


@dataclass(frozen=True, slots=True)
class ValueTest:
    """A condition on the value of a feature, which is None if the feature is undefined.

    `defined` is None for a list of values: one of them is required, or with `negated` any other value. Otherwise the
    feature must be defined (True) or undefined (False).
    """

    constants: frozenset[str] = frozenset()
    expressions: tuple[Regex, ...] = ()
    negated: bool = False
    defined: bool | None = None

    def holds(self, value: str | None, watch: Watch | None = None) -> bool:
        """Return whether a value satisfies the condition."""
        if self.defined is not None or value is None:
            return (value is not None) is self.defined
        found = value in self.constants or any(each.matches(value, watch) for each in self.expressions)
        return found is not self.negated


@dataclass(frozen=True, slots=True)
class FeatureTest:
    """A condition on a feature of a node or of an edge label."""

    feature: str
    test: ValueTest


Alternative = tuple[FeatureTest, ...]            # conditions that must all hold


@dataclass(frozen=True, slots=True)
class NodeClause:
    """`X [upos=VERB, !Number]|[...]`: one of the alternatives holds for the node."""

    node: str
    alternatives: tuple[Alternative, ...]
    position: int


@dataclass(frozen=True, slots=True)
class EdgeClause:
    """`e: X -[...]-> Y`: an edge whose label satisfies all conditions. `head` or `dependent` is None for `*`."""

    name: str | None
    head: str | None
    dependent: str | None
    label: Alternative
    position: int


@dataclass(frozen=True, slots=True)
class FeatureOf:
    """`X.lemma` or `e.label`: a feature of a node or an edge."""

    name: str
    feature: str
    position: int


@dataclass(frozen=True, slots=True)
class ValueClause:
    """`X.lemma = "be"`: a condition on a feature of a node or an edge."""

    subject: FeatureOf
    test: ValueTest


@dataclass(frozen=True, slots=True)
class ComparisonClause:
    """`X.lemma = Y.lemma`, or `<>` if `negated`."""

    left: FeatureOf
    right: FeatureOf
    negated: bool


@dataclass(frozen=True, slots=True)
class RelationClause:
    """`X << Y` and the like: a relation between two nodes, two edges, or a node and an edge."""

    relation: Literal["<", "<<", "->>", "><", "<>", "id"]
    left: str
    right: str
    position: int


@dataclass(frozen=True, slots=True)
class DistanceClause:
    """`length(X, Y) > 3` or `delta(X, Y) = -1`."""

    measure: Literal["length", "delta"]
    left: str
    right: str
    comparison: str
    number: int
    position: int


Clause = NodeClause | EdgeClause | ValueClause | ComparisonClause | RelationClause | DistanceClause


@dataclass(frozen=True, slots=True)
class StructureTest:
    """`is_projective` and the like: a property that the whole sentence has, or with `negated` does not have."""

    name: Literal["projective", "cyclic", "tree", "forest"]
    negated: bool


@dataclass(slots=True)
class Request:
    """A pattern: the clauses of all `pattern` blocks, `with` and `without` blocks, and the items of `global`."""

    clauses: list[Clause] = field(default_factory=list)
    filters: list[tuple[bool, list[Clause]]] = field(default_factory=list)      # (whether it must be found, clauses)
    structure: list[StructureTest] = field(default_factory=list)
    metadata: list[FeatureTest] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
