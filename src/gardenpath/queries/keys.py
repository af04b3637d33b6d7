"""Keys by which matches are grouped or tabulated, such as `V.lemma` or `e.label`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NoReturn

from gardenpath.errors import UsageError
from gardenpath.queries.features import LABEL_FEATURES, TEXT_COLUMNS, check_name, part_of_label, value_of
from gardenpath.queries.pattern import Pattern

if TYPE_CHECKING:
    from gardenpath.queries.match import Match

_NAME = r"[^\W\d]\w*\$?"
_FEATURE = re.compile(rf"({_NAME})\.([\w\[\]/]+)")
_MEASURE = re.compile(rf"(length|delta)\(\s*({_NAME})\s*,\s*({_NAME})\s*\)")
_ORDER = re.compile(rf"{_NAME}(?:\s*#\s*{_NAME})+")
_RELATION = re.compile(rf"({_NAME})\s*(<?->)\s*({_NAME})")
_METADATA = re.compile(r"\w[\w ]*")
NONE = "__none__"
Reader = Callable[["Match"], str | None]


class Key:
    """A key: a feature of a node (`V.lemma`, `V.ExtPos/upos`, `V.id`) or an edge (`e.label`, `e.1`, `e.length`).

    Others are `length(X, Y)` and `delta(X, Y)`, the order of nodes `X#Y`, the label from X to Y `X -> Y` or in either
    direction `X <-> Y`, and the comments of the sentence, such as `sent_id` and `text`.
    """

    def __init__(self, text: str, pattern: Pattern) -> None:
        self.text, self._pattern = text.strip(), pattern
        self.features: list[str] = []            # the features of nodes that it reads
        self._reader = self._read()

    def of(self, match: Match) -> str | None:
        """Return the value for a match, or None if it is undefined."""
        return self._reader(match)

    def _read(self) -> Reader:
        if found := _FEATURE.fullmatch(self.text):
            return self._edge(*found.groups()) if found[1] in self._pattern.edges else self._node(*found.groups())
        if found := _MEASURE.fullmatch(self.text):
            return self._measure(*found.groups())
        if found := _RELATION.fullmatch(self.text):
            return self._relation(*found.groups())
        if _ORDER.fullmatch(self.text):
            return self._order([name.strip() for name in self.text.split("#")])
        if self.text in TEXT_COLUMNS:
            example = next(iter(self._pattern.nodes), "X")
            self._fail(f"it is a feature of words, so it needs the name of a node, such as {example}.{self.text}")
        if _METADATA.fullmatch(self.text) and self.text not in (*self._pattern.nodes, *self._pattern.edges):
            return lambda match: match.sentence.comment(self.text)
        self._fail("it is not a key; write for example V.lemma, e.label, delta(X, Y), X#Y or sent_id")

    def _node(self, name: str, features: str) -> Reader:
        if name not in self._pattern.nodes and features in LABEL_FEATURES:
            self._fail(f"the `pattern` blocks have no edge `{name}`; name the edge, as in `{name}: V -[nsubj]-> S`")
        self._check_nodes(name)
        if features == "id":
            return lambda match: str(match[name].id)
        wanted = features.split("/")
        for feature in wanted:
            problem = check_name(feature) or (feature in LABEL_FEATURES and f"`{feature}` is a feature of edges")
            if problem:
                self._fail(problem)
        self.features = wanted

        def read(match: Match) -> str | None:
            number = match.ids[name]
            word = match.sentence.words[number - 1] if number else None
            values = (value_of(match.sentence, word, feature) for feature in wanted)
            return next((value for value in values if value is not None), None)

        return read

    def _edge(self, name: str, feature: str) -> Reader:
        head, dependent = self._pattern.edges[name]
        if feature in ("length", "delta"):
            return self._measure(feature, head, dependent)
        if feature not in LABEL_FEATURES:
            self._fail(f"an edge has {', '.join(LABEL_FEATURES)}, length and delta")
        return lambda match: part_of_label(match[dependent].deprel, feature)

    def _measure(self, measure: str, left: str, right: str) -> Reader:
        self._check_nodes(left, right)
        if measure == "length":
            return lambda match: str(abs(match[right].id - match[left].id))
        return lambda match: str(match[right].id - match[left].id)

    def _order(self, names: list[str]) -> Reader:
        self._check_nodes(*names)
        return lambda match: " << ".join(sorted(names, key=lambda name: match[name].id))

    def _relation(self, left: str, arrow: str, right: str) -> Reader:
        self._check_nodes(left, right)

        def read(match: Match) -> str:
            first, second = match[left], match[right]
            if second.head == first.id:
                return second.deprel
            return f"-{first.deprel}" if arrow == "<->" and first.head == second.id else NONE

        return read

    def _check_nodes(self, *names: str) -> None:
        for name in names:
            if name not in self._pattern.nodes:
                known = ", ".join((*self._pattern.nodes, *self._pattern.edges)) or "none"
                self._fail(f"the `pattern` blocks have no node `{name}`; the names in them are: {known}")

    def _fail(self, problem: str) -> NoReturn:
        raise UsageError(f"key `{self.text}`: {problem}")
