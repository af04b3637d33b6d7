"""The obvious way to search: try all assignments of nodes to words, and check every clause of the pattern."""

from __future__ import annotations

from itertools import product

from gardenpath.queries.reader import read_pattern
from gardenpath.queries.syntax import (
    ComparisonClause,
    DistanceClause,
    EdgeClause,
    NodeClause,
    RelationClause,
    ValueClause,
)

COMPARE = {
    "<": int.__lt__, "<=": int.__le__, "=": int.__eq__, ">=": int.__ge__, ">": int.__gt__,
}


class Graph:
    """A sentence as the documentation of Grew describes it: features of nodes, and a set of edges."""

    def __init__(self, sentence):
        self.features = [{"form": "__0__"}] + [features(word) for word in sentence]
        self.edges = {
            (word.head, word.id): word.deprel for word in sentence
            if word.head is not None and 0 <= word.head <= len(sentence)
        }
        self.comments = {
            line[1:].split("=")[0].strip(): line.split("=", 1)[1].strip() for line in sentence.comments if "=" in line
        }

    def label(self, edge):
        label = self.edges[edge]
        first, _, second = label.partition(":")
        return {"label": label, "1": first} | ({"2": second} if second else {})

    def reaches(self, above, below):
        reached, waiting = set(), [above]
        while waiting:
            node = waiting.pop()
            new = {dependent for head, dependent in self.edges if head == node} - reached
            reached |= new
            waiting.extend(new)
        return below in reached

    def has(self, name):
        pairs = [tuple(sorted(edge)) for edge in self.edges]
        cyclic = any(self.reaches(node, node) for node in range(len(self.features)))
        if name == "projective":
            return not any(a < b < c < d for (a, c), (b, d) in product(pairs, pairs))
        if name == "tree":
            return not cyclic and len(self.edges) == len(self.features) - 1
        return cyclic if name == "cyclic" else not cyclic


def features(word):
    """The features of a word; those in FEATS come before those in MISC."""
    found = {"form": word.form}
    for column in (word.misc, word.feats):
        found |= dict(item.split("=") for item in column.split("|") if column != "_")
    columns = {name: getattr(word, name) for name in ("lemma", "upos", "xpos")}
    return found | {name: value for name, value in columns.items() if value != "_"}


def slow_search(sentence, text):
    """Return the matches of a pattern as a sorted list of tuples of ids."""
    request, graph = read_pattern(text), Graph(sentence)
    if any(graph.has(test.name) is test.negated for test in request.structure):
        return []
    if not all(test.test.holds(graph.comments.get(test.feature)) for test in request.metadata):
        return []
    names = declared(request.clauses)
    return sorted(
        tuple(bound[name] for name in names)
        for bound in extensions(graph, request.clauses, {}, {})
        if all(
            any(True for _ in extensions(graph, clauses, bound, edges_of(request.clauses))) is wanted
            for wanted, clauses in request.filters
        )
    )


def declared(clauses):
    names = [
        name for clause in clauses if isinstance(clause, (NodeClause, EdgeClause))
        for name in ([clause.node] if isinstance(clause, NodeClause) else [clause.head, clause.dependent])
    ]
    return [name for name in dict.fromkeys(names) if name is not None]


def edges_of(clauses):
    return {each.name: (each.head, each.dependent) for each in clauses if isinstance(each, EdgeClause) and each.name}


def extensions(graph, clauses, bound, edges):
    """Yield all assignments of the nodes of a block that agree with the nodes that are bound."""
    new = [name for name in declared(clauses) if name not in bound]
    edges = edges | edges_of(clauses)
    for values in product(range(len(graph.features)), repeat=len(new)):
        assignment = bound | dict(zip(new, values, strict=True))
        injective = [value for name, value in assignment.items() if not name.endswith("$")]
        if len(set(injective)) == len(injective) and all(holds(graph, each, assignment, edges) for each in clauses):
            yield assignment


def holds(graph, clause, bound, edges):
    def read(subject):
        if subject.name in edges:
            head, dependent = edges[subject.name]
            return graph.label((bound[head], bound[dependent])).get(subject.feature)
        return graph.features[bound[subject.name]].get(subject.feature)

    match clause:
        case NodeClause():
            own = graph.features[bound[clause.node]]
            return any(
                all(test.test.holds(own.get(test.feature)) for test in alternative)
                for alternative in clause.alternatives
            )
        case EdgeClause():
            return any(
                (clause.head is None or bound[clause.head] == head)
                and (clause.dependent is None or bound[clause.dependent] == dependent)
                and all(test.test.holds(graph.label((head, dependent)).get(test.feature)) for test in clause.label)
                for head, dependent in graph.edges
            )
        case ValueClause():
            return clause.test.holds(read(clause.subject))
        case ComparisonClause():
            left, right = read(clause.left), read(clause.right)
            return left is not None and right is not None and (left != right) is clause.negated
        case DistanceClause():
            distance = bound[clause.right] - bound[clause.left]
            return COMPARE[clause.comparison](abs(distance) if clause.measure == "length" else distance, clause.number)
        case RelationClause():
            return related(graph, clause, bound, edges)


def related(graph, clause, bound, edges):
    def ends(name):
        return sorted(bound[node] for node in edges[name]) if name in edges else [bound[name]] * 2

    (a, b), (c, d) = ends(clause.left), ends(clause.right)
    match clause.relation:
        case "<":
            return a + 1 == c
        case "id":
            return a < c
        case "->>":
            return graph.reaches(a, c)
        case "><":
            return a < c < b < d or c < a < d < b
        case "<>":
            return b <= c or d <= a
        case "<<" if clause.left in edges:
            return c <= a and b <= d and (a, b) != (c, d)
        case "<<":
            return c < a < d if clause.right in edges else a < c
