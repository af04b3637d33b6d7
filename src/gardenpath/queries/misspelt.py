"""Names in a pattern or in keys that are probably misspelt: tags, relations, features and values that no word has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from itertools import chain
from typing import NamedTuple

from gardenpath.evaluation.inventory import MISC_ATTRIBUTES, RELATIONS, UNIVERSAL_FEATURES, UPOS_TAGS
from gardenpath.formats.conllu import items_of
from gardenpath.queries.features import LABEL_FEATURES, TEXT_COLUMNS, item, item_name, part_of_label
from gardenpath.queries.index import Vocabulary
from gardenpath.queries.syntax import Clause, ComparisonClause, EdgeClause, NodeClause, Request, ValueClause

_SPACES = ("SpacesAfter", "SpacesBefore", "SpacesInToken")      # attributes of MISC that tokenizers write
_COLUMNS = ("form", "lemma", "upos")
_KNOWN = {
    "upos": UPOS_TAGS, "label": RELATIONS, "subtype": frozenset(), "value": frozenset(),
    "feats": UNIVERSAL_FEATURES.union(MISC_ATTRIBUTES, _SPACES, _COLUMNS),
}
# Treebanks have features, values and subtypes of their own. One of these is only reported if it looks like another one.
_SIMILAR = {"upos": 0.6, "label": 0.6, "subtype": 0.75, "value": 0.75, "feats": 0.8}
_CLOSED = ("upos", "label")


class Name(NamedTuple):
    """A name in a pattern.

    `kind` is `upos` (a tag), `label` (a relation without its subtype), `subtype`, `feats` (a feature), or `value` (a
    value of `feature` in FEATS).
    """

    kind: str
    text: str
    feature: str = ""

    def __str__(self) -> str:
        what = {"upos": "UPOS", "label": "relation", "feats": "feature"}.get(self.kind, self.kind)
        return f"the {what} `{self.text}`" + (f" of `{self.feature}`" if self.feature else "")


class UnknownNames:
    """The names in a pattern, and features in keys, that UD does not know and that have not been found yet."""

    def __init__(self, request: Request, features: Iterable[str] = ()) -> None:
        clauses = chain(request.clauses, *(clauses for _, clauses in request.filters))
        in_pattern = (name for clause in clauses for name in _names_in(clause))
        names = dict.fromkeys(chain(in_pattern, *map(_names_of, features)))
        self.names = [name for name in names if name.text and name.text.partition("[")[0] not in _KNOWN[name.kind]]

    def drop_found(self, vocabulary: Vocabulary) -> None:
        """Drop the names that occur in the searched sentences."""
        self.names = [name for name in self.names if name.text not in _seen(name, vocabulary)]

    def notes(self, vocabulary: Vocabulary) -> list[str]:
        """Return a note about each name that is probably misspelt, with the most similar name that exists."""
        return [note for name in self.names if (note := _note(name, {*_seen(name, vocabulary)}))]


def _note(name: Name, seen: set[str]) -> str | None:
    known = {other.lower(): other for other in sorted(_KNOWN[name.kind] | seen)}
    similar = get_close_matches(name.text.lower(), known, 1, _SIMILAR[name.kind])
    if name.kind not in _CLOSED and not similar:
        return None
    remedy = f"; did you mean `{known[similar[0]]}`?" if similar else ""
    elsewhere = ", and UD has none of that name" if name.kind in _CLOSED else ""
    return f"no word that was searched has {name}{elsewhere}{remedy}"


def _names_in(clause: Clause) -> Iterator[Name]:
    match clause:
        case NodeClause():
            for test in chain.from_iterable(clause.alternatives):
                yield from _names_of(test.feature, test.test.constants)
        case EdgeClause():
            for test in clause.label:
                yield from _names_of(test.feature, test.test.constants)
        case ValueClause():
            yield from _names_of(clause.subject.feature, clause.test.constants)
        case ComparisonClause():
            yield from chain(_names_of(clause.left.feature), _names_of(clause.right.feature))


def _names_of(feature: str, constants: Iterable[str] = ()) -> Iterator[Name]:
    texts = sorted(constants)
    if feature == "upos":
        yield from (Name("upos", tag) for tag in texts)
    elif feature in ("label", "1"):
        yield from (Name("label", part_of_label(label, "1") or "") for label in texts)
        yield from (Name("subtype", part_of_label(label, "2") or "") for label in texts)
    elif feature == "2":
        yield from (Name("subtype", subtype) for subtype in texts)
    elif feature not in (*TEXT_COLUMNS, *LABEL_FEATURES, "enhanced"):
        yield Name("feats", item_name(feature))
        yield from (Name("value", value, item_name(feature)) for value in texts)


def _seen(name: Name, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the names of this kind in the searched sentences."""
    match name.kind:
        case "upos":
            yield from (value or "" for value in vocabulary.of("upos")[1])
        case "label" | "subtype":
            part = "1" if name.kind == "label" else "2"
            yield from (part_of_label(value or "", part) or "" for value in vocabulary.of("label")[1])
        case "feats":
            for value in chain(vocabulary.of("feats")[1], vocabulary.of("misc")[1]):
                yield from items_of(value or "")
        case "value":
            yield from (item(value or "", name.feature) or "" for value in vocabulary.of("feats")[1])
