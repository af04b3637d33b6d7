"""Patterns: names are resolved, so that a search knows nodes by their numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn

from gardenpath.queries.errors import PatternError
from gardenpath.queries.features import LABEL_FEATURES, Source, sources
from gardenpath.queries.reader import read_pattern
from gardenpath.queries.syntax import (
    Alternative,
    Clause,
    ComparisonClause,
    DistanceClause,
    EdgeClause,
    FeatureOf,
    NodeClause,
    RelationClause,
    ValueClause,
    ValueTest,
)

MOST_NODES = 64


class Condition(NamedTuple):
    """A condition on the value of a feature, which is in one of the sources."""

    sources: tuple[Source, ...]
    test: ValueTest


@dataclass(frozen=True, slots=True)
class NodeTest:
    """One of the alternatives holds for a node, or with `of_dependent` for one of its dependents."""

    alternatives: tuple[tuple[Condition, ...], ...]
    of_dependent: bool = False


@dataclass(frozen=True, slots=True)
class Check:
    """A relation between nodes, which are given by their numbers. An edge is its head and its dependent."""

    kind: str
    nodes: tuple[int, ...]
    number: int = 0
    sources: tuple[tuple[Source, ...], ...] = ()


@dataclass(slots=True)
class Block:
    """What a block of the pattern adds: nodes, conditions on single nodes, and relations between nodes."""

    nodes: list[int] = field(default_factory=list)
    tests: dict[int, list[NodeTest]] = field(default_factory=dict)
    checks: list[Check] = field(default_factory=list)


class Pattern:
    """A pattern in the language of Grew-match, read and checked.

    `nodes` are the names of its nodes, `edges` the nodes of its named edges, `arcs` the nodes of all its edges. `notes`
    are warnings about parts that may not mean what was intended.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.request = read_pattern(text)
        self.notes = self.request.notes
        self.names: list[str] = []               # of all nodes; those of `with` and `without` blocks come last
        main = _Resolver(self, self.request.clauses, {}, {})
        self.block = main.block
        self.nodes = tuple(self.names)
        self.edges = {name: (self.nodes[head], self.nodes[dependent]) for name, (head, dependent) in main.edges.items()}
        self.arcs = [
            (self.nodes[check.nodes[0]], self.nodes[check.nodes[1]])
            for check in self.block.checks if check.kind == "edge"
        ]
        self.filters = [
            (wanted, _Resolver(self, clauses, main.numbers, main.edges).block)
            for wanted, clauses in self.request.filters
        ]

    def __repr__(self) -> str:
        return f"Pattern({self.text!r})"


class _Resolver:
    """Resolves the names of one block. Nodes and edges of the `pattern` blocks are known in all blocks."""

    def __init__(
        self, pattern: Pattern, clauses: Iterable[Clause], numbers: Mapping[str, int],
        edges: Mapping[str, tuple[int, int]],
    ) -> None:
        self.pattern, self.block = pattern, Block()
        self.numbers, self.edges = dict(numbers), dict(edges)
        for clause in clauses:
            self._declare(clause)
        for clause in clauses:
            self._resolve(clause)

    def _declare(self, clause: Clause) -> None:
        if isinstance(clause, NodeClause):
            self._node(clause.node, clause.position)
        elif isinstance(clause, EdgeClause):
            ends = [self._node(name, clause.position) for name in (clause.head, clause.dependent) if name is not None]
            if clause.name is not None:
                if clause.name in self.edges:
                    self._fail(f"two edges are called `{clause.name}`; rename one of them", clause.position)
                self.edges[clause.name] = ends[0], ends[1]

    def _node(self, name: str, position: int) -> int:
        """Return the number of a node, which is new if its name is."""
        if name not in self.numbers:
            if len(self.pattern.names) == MOST_NODES:
                self._fail(f"the pattern has more than {MOST_NODES} nodes; use fewer", position)
            self.numbers[name] = len(self.pattern.names)
            self.pattern.names.append(name)
            self.block.nodes.append(self.numbers[name])
        return self.numbers[name]

    def _resolve(self, clause: Clause) -> None:
        match clause:
            case NodeClause():
                alternatives = tuple(_conditions(alternative) for alternative in clause.alternatives)
                self._test(self._known(clause.node, clause.position), NodeTest(alternatives))
            case EdgeClause():
                self._edge(clause)
            case ValueClause():
                node, found = self._feature(clause.subject)
                self._test(node, NodeTest(((Condition(found, clause.test),),)))
            case ComparisonClause():
                (left, first), (right, second) = self._feature(clause.left), self._feature(clause.right)
                kind = "differ" if clause.negated else "equal"
                self.block.checks.append(Check(kind, (left, right), sources=(first, second)))
            case RelationClause():
                self._relation(clause)
            case DistanceClause():
                nodes = self._known(clause.left, clause.position), self._known(clause.right, clause.position)
                self.block.checks.append(Check(f"{clause.measure} {clause.comparison}", nodes, clause.number))

    def _edge(self, clause: EdgeClause) -> None:
        """Resolve an edge. Its label is a condition on the dependent, because a word has one head at most."""
        label = _conditions(clause.label, of_label=True)
        exists = Condition(sources("label", of_label=True), ValueTest(defined=True))
        test = NodeTest(((exists, *label),), of_dependent=clause.dependent is None)
        node = clause.dependent if clause.dependent is not None else clause.head
        self._test(self.numbers[str(node)], test)
        if clause.head is not None and clause.dependent is not None:
            self.block.checks.append(Check("edge", (self.numbers[clause.head], self.numbers[clause.dependent])))

    def _relation(self, clause: RelationClause) -> None:
        relation, names = clause.relation, (clause.left, clause.right)
        kind = _RELATIONS.get((relation, clause.left in self.edges, clause.right in self.edges))
        if kind is None:
            shown = " and ".join(f"{'edge' if name in self.edges else 'node'} `{name}`" for name in names)
            self._fail(f"`{relation}` cannot relate {shown}; {_REMEDIES[relation]}", clause.position)
        nodes = [
            node for name in names
            for node in (self.edges[name] if name in self.edges else (self._known(name, clause.position),))
        ]
        self.block.checks.append(Check(kind, tuple(nodes)))

    def _feature(self, subject: FeatureOf) -> tuple[int, tuple[Source, ...]]:
        """Return the node that has a feature, and its sources. The dependent of an edge has its label."""
        if subject.name in self.edges:
            if subject.feature not in (*LABEL_FEATURES, "enhanced"):
                known = ", ".join(LABEL_FEATURES)
                self._fail(f"`{subject.name}` is an edge, which has the features {known}", subject.position)
            return self.edges[subject.name][1], sources(subject.feature, of_label=True)
        if subject.feature in LABEL_FEATURES:
            self._fail(f"`{subject.feature}` is a feature of edges, and `{subject.name}` is none", subject.position)
        return self._known(subject.name, subject.position), sources(subject.feature)

    def _known(self, name: str, position: int) -> int:
        if name in self.edges:
            self._fail(f"`{name}` is an edge, but a node is needed here", position)
        if name not in self.numbers:
            self._fail(f"there is no node `{name}`; declare it with `{name} []`, or correct the name", position)
        return self.numbers[name]

    def _test(self, node: int, test: NodeTest) -> None:
        self.block.tests.setdefault(node, []).append(test)

    def _fail(self, problem: str, position: int) -> NoReturn:
        raise PatternError(problem, self.pattern.text, position)


def _conditions(alternative: Alternative, *, of_label: bool = False) -> tuple[Condition, ...]:
    return tuple(Condition(sources(test.feature, of_label=of_label), test.test) for test in alternative)


# The kinds of checks by relation, and by whether its left and its right side are edges.
_RELATIONS: dict[tuple[str, bool, bool], str] = {
    ("<", False, False): "next", ("<<", False, False): "before", ("->>", False, False): "dominates",
    ("id", False, False): "before", ("<<", False, True): "inside", ("<<", True, True): "covered",
    ("><", True, True): "crossing", ("<>", True, True): "disjoint",
}
_REMEDIES = {
    "<": "it needs two nodes", "->>": "it needs two nodes", "id": "`__id__` is a property of nodes",
    "<<": "it needs two nodes, two edges, or a node and an edge", "><": "it needs two named edges (`e: X -> Y`)",
    "<>": "it needs two named edges (`e: X -> Y`), or two features (`X.lemma <> Y.lemma`)",
}
